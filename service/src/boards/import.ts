// Takes boards in. A board is recognized by its id or, without one, by its name and type; it is
// changed then, and every other one is new.
import { boardStatuses, line } from 'board-access-contract';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { newId } from '../database/identifier.ts';
import type { Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import { refreshBoards } from './status.ts';
import { searchColumns } from './words.ts';

const storable = z.string().check(z.refine((text) => !text.includes('\0'), 'must not contain NUL'));

// A record silently leaves this name out, and so would an object.
const namedTags = z
	.unknown()
	.check(
		z.refine(
			(tags) => !Object.hasOwn(Object(tags), '__proto__'),
			'must not contain a tag named __proto__',
		),
	);

const wholeNumber = z.pipe(
	z.union(
		[z.int(), z.string().check(z.regex(/^\d{1,7}$/))],
		'must be a whole number from 0 to 1000000',
	),
	z.coerce
		.number<number | string>()
		.check(
			z.refine(
				(number) => number >= 0 && number <= 1_000_000,
				'must be a whole number from 0 to 1000000',
			),
		),
);

export const boardInput = z.strictObject({
	id: z.optional(
		z.string().check(z.regex(/^brd_[\w-]{1,60}$/, 'must be brd_ and letters, digits, _ or -')),
	),
	name: line(200),
	board_type: line(100),
	status: z._default(z.enum(boardStatuses), 'available'),
	status_reason: z._default(storable.check(z.maxLength(500)), ''),
	credits_per_minute: z._default(wholeNumber, 0),
	description: z._default(storable.check(z.maxLength(2000)), ''),
	tags: z._default(z.pipe(namedTags, z.record(storable, storable)), {}),
	// A returned record can be sent back; the service sets these fields itself.
	lease_id: z.optional(z.unknown()),
	has_agent: z.optional(z.unknown()),
	memory: z.optional(z.unknown()),
	created_at: z.optional(z.string()),
	updated_at: z.optional(z.string()),
});

type ReadBoard = z.output<typeof boardInput>;
type Optional = 'status_reason' | 'credits_per_minute';

export type BoardInput = Omit<ReadBoard, Optional> & Partial<Pick<ReadBoard, Optional>>;

/** A board without an id matches several boards. */
export class AmbiguousBoardError extends Error {}

/** Writes all boards or, if one cannot be written, none; returns how many were added and changed. */
export function importBoards(db: Kysely<Schema>, boards: readonly BoardInput[]) {
	return db.transaction().execute(async (transaction) => {
		let added = 0;
		for (const board of boards) {
			const { id: given, created_at: _createdAt, ...sent } = board;
			const { lease_id: _leaseId, has_agent: _hasAgent, memory: _memory, ...rest } = sent;
			const id = given ?? (await knownId(transaction, board)) ?? newId('brd');
			const values = {
				status_reason: '',
				credits_per_minute: 0,
				...rest,
				base_status: board.status,
				tags: JSON.stringify(board.tags),
				...searchColumns({ ...board, id }),
				updated_at: now(),
			};
			// The current status also depends on the board's lease and agent.
			const { status: _status, ...changes } = values;
			const { created_at } = await transaction
				.insertInto('boards')
				.values({ ...values, id, created_at: values.updated_at })
				.onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
				.returning('created_at')
				.executeTakeFirstOrThrow();
			// An existing board keeps its creation time.
			if (created_at === values.updated_at) added += 1;
			await refreshBoards(transaction, [id]);
		}
		const counts = { added, changed: boards.length - added };
		await record(transaction, { kind: 'boards.imported', details: counts });
		return counts;
	});
}

/** The board with this name and type. */
async function knownId(db: Kysely<Schema>, { name, board_type }: BoardInput) {
	const [known, another] = await db
		.selectFrom('boards')
		.select('id')
		.where('board_type', '=', board_type)
		.where('name', '=', name)
		.orderBy('id')
		.limit(2)
		.execute();
	if (!another) return known?.id;
	throw new AmbiguousBoardError(
		`Several boards have the name ${name} and the type ${board_type}; specify the id of the board to change`,
	);
}
