// A number that changes with every committed change of the boards, so that pages read from the database
// can be kept in memory without getting stale: triggers write it, no matter who changes the boards.
import type { Db } from './schema.ts';

/** The revision of the boards in SQL, as a column of the query that every request runs anyway. */
export const boardsRevision = "(select value from revisions where name = 'boards')";

export async function readBoardsRevision(db: Db) {
	const { value } = await db
		.selectFrom('revisions')
		.select('value')
		.where('name', '=', 'boards')
		.executeTakeFirstOrThrow();
	return value;
}
