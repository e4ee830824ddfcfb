// A number that is another one after every committed change of the boards, so that what was read of
// them can be kept in memory and never be stale: triggers write it, whoever changes the boards.
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** The revision of the boards in SQL, as a column of the query that every request runs anyway. */
export const boardsRevision = "(select value from revisions where name = 'boards')";

export async function readBoardsRevision(db: Kysely<Schema>) {
	const { value } = await db
		.selectFrom('revisions')
		.select('value')
		.where('name', '=', 'boards')
		.executeTakeFirstOrThrow();
	return value;
}
