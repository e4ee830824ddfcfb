// Takes boards in: a row with an id that is known is changed, every other one is new.
import { boardStatuses, line } from 'board-access-contract';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { newId } from '../database/identifier.ts';
import type { Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';

const storable = z.string().check(z.refine((text) => !text.includes('\0'), 'must not contain NUL'));

// A record leaves this name out without a word, and so would an object.
const namedTags = z
	.unknown()
	.check(
		z.refine(
			(tags) => !Object.hasOwn(Object(tags), '__proto__'),
			'must not contain a tag named __proto__',
		),
	);

export const boardInput = z.strictObject({
	id: z.optional(
		z.string().check(z.regex(/^brd_[\w-]{1,60}$/, 'must be brd_ and letters, digits, _ or -')),
	),
	name: line(200),
	board_type: line(100),
	status: z._default(z.enum(boardStatuses), 'available'),
	description: z._default(storable.check(z.maxLength(2000)), ''),
	tags: z._default(z.pipe(namedTags, z.record(storable, storable)), {}),
	// An exported file may come back as it is; these two are the service's to write.
	created_at: z.optional(z.string()),
	updated_at: z.optional(z.string()),
});

export type BoardInput = z.output<typeof boardInput>;

/** Writes all boards or, when one cannot be written, none; answers how many of each kind. */
export function importBoards(db: Kysely<Schema>, boards: readonly BoardInput[]) {
	return db.transaction().execute(async (transaction) => {
		let added = 0;
		for (const { id = newId('brd'), created_at: _createdAt, tags, ...board } of boards) {
			const values = {
				...board,
				base_status: board.status,
				tags: JSON.stringify(tags),
				updated_at: now(),
			};
			const { created_at } = await transaction
				.insertInto('boards')
				.values({ ...values, id, created_at: values.updated_at })
				.onConflict((conflict) => conflict.column('id').doUpdateSet(values))
				.returning('created_at')
				.executeTakeFirstOrThrow();
			// A board that was there keeps its time.
			if (created_at === values.updated_at) added += 1;
		}
		return { added, changed: boards.length - added };
	});
}
