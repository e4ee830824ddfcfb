// What changes with every committed change of the boards, or of the leases that an account sees, so that pages
// can be kept in memory without getting stale: triggers count, no matter who changes the tables.
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

const sumOfChanges = (names: string) =>
	`(select coalesce(sum(value), 0) from lease_changes where name in (${names}))`;

const shared = `lease_shares inner join leases on leases.id = lease_shares.lease_id
	where lease_shares.email = accounts.email`;

/**
 * The revision of the leases that an account sees, by its identifier: its own changes, those of the accounts that
 * share leases with it, and those of the queues of all these leases. While a sum is the same, the next adds the same
 * counters.
 */
export const leasesRevision = `select accounts.id as hash,
	${sumOfChanges('accounts.id')}
	|| ' ' || ${sumOfChanges(`select account_id from ${shared}`)}
	|| ' ' || ${sumOfChanges(`select 'queue ' || board_type from leases
		where account_id = accounts.id and status <> 'ended' and status = 'queued'
		union select 'queue ' || board_type from ${shared} and status = 'queued'`)} as revision
	from accounts where accounts.id`;

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
