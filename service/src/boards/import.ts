// Imports boards. A board is recognized by its id or, without one, by its name and type; it is
// changed then, and every other one is new.
import { boardInput } from 'board-access-contract';
import * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import { newId } from '../database/identifier.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { columnsOf } from './change.ts';
import { refreshBoards } from './status.ts';
import { sortKey } from './words.ts';

const { credits_per_minute, description } = boardInput.shape;

/** A board as a file has it: in CSV, numbers are text. */
export const importedBoard = z.strictObject({
	...boardInput.shape,
	id: z.optional(
		z.string().check(z.regex(/^brd_[\w-]{1,60}$/, 'must be brd_ and letters, digits, _ or -')),
	),
	status_reason: z._default(description.def.innerType.check(z.maxLength(500)), ''),
	credits_per_minute: z.optional(
		z.pipe(
			z.union([z.int(), z.string().check(z.regex(/^\d{1,7}$/))], 'must be a whole number'),
			z.pipe(z.coerce.number<number | string>(), credits_per_minute.def.innerType),
		),
	),
	// A returned record can be sent back; the service sets these fields itself.
	lease_id: z.optional(z.unknown()),
	has_agent: z.optional(z.unknown()),
	memory: z.optional(z.unknown()),
	keeps_firmware: z.optional(z.unknown()),
	created_at: z.optional(z.string()),
	updated_at: z.optional(z.string()),
});

type ReadBoard = z.output<typeof importedBoard>;

export type BoardInput = Omit<ReadBoard, 'status_reason'> & { status_reason?: string };

/** A board without an id matches several boards. */
export class AmbiguousBoardError extends Error {}

/** Writes all boards or, if one cannot be written, none; returns how many were added and changed. */
export function importBoards(db: Db, boards: readonly BoardInput[]) {
	return inTransaction(db, async (transaction) => {
		let added = 0;
		for (const board of boards) {
			const { status, status_reason = '' } = board;
			const id = board.id ?? (await knownId(transaction, board)) ?? newId('brd');
			const updated_at = timeIn(transaction);
			const values = { ...columnsOf({ ...board, id }), status_reason, updated_at };
			const { created_at } = await transaction
				.insertInto('boards')
				.values({ ...values, status, created_at: updated_at })
				// The current status also depends on the board's lease and agent.
				.onConflict((conflict) => conflict.column('id').doUpdateSet(values))
				.returning('created_at')
				.executeTakeFirstOrThrow();
			// An existing board keeps its creation time.
			if (created_at === updated_at) added += 1;
			await refreshBoards(transaction, [id]);
		}
		const counts = { added, changed: boards.length - added };
		await record(transaction, { kind: 'boards.imported', details: counts });
		return counts;
	});
}

async function knownId(db: Db, { name, board_type }: BoardInput) {
	const [known, another] = await db
		.selectFrom('boards')
		.select('id')
		.where('board_type', '=', board_type)
		.where('name_key', '=', sortKey(name))
		.where('name', '=', name)
		.orderBy('id')
		.limit(2)
		.execute();
	if (!another) return known?.id;
	throw new AmbiguousBoardError(
		`Several boards have the name ${name} and the type ${board_type}; specify the id of the board to change`,
	);
}
