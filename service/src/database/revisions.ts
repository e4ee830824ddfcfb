// A number that changes with every committed change of the boards, so that pages read from the database
// can be kept in memory without getting stale: triggers write it, no matter who changes the boards.
import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** The revision of the boards in SQL, as a column of the query that every request runs anyway. */
export const boardsRevision = '(select cast(sum(value) as bigint) from board_changes)';

export async function readBoardsRevision(db: Db) {
	const { rows } = await sql<{
		revision: number;
	}>`select ${sql.raw(boardsRevision)} as revision`.execute(db);
	return rows[0]?.revision ?? 0;
}

/**
 * Keeps in memory what was read of the boards, for as long as their revision is the same and until the sizes
 * add up to more than `most`.
 */
export function createRevisionCache<Value>(sizeOf: (value: Value) => number, most: number) {
	let kept = { revision: Number.NaN, size: 0, values: new Map<string, Promise<Value>>() };
	return {
		/** What is kept for this revision, or what is read now. */
		get(key: string, revision: number, read: () => Promise<Value>): Promise<Value> {
			if (kept.revision !== revision || kept.size > most) {
				kept = { revision, size: 0, values: new Map() };
			}
			const known = kept.values.get(key);
			if (known) return known;
			// The revision was read first, so what is read now is of this one or a later one.
			const value = read();
			const own = kept;
			own.values.set(key, value);
			value.then(
				(result) => (own.size += key.length + sizeOf(result)),
				() => own.values.delete(key),
			);
			return value;
		},
	};
}
