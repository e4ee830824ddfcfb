// Revisions of the boards, and of the leases that an account sees. Triggers count every committed change, whoever makes
// it, so a page in memory is valid while its revision is the same.
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { createLookup } from './lookup.ts';
import type { Db } from './schema.ts';

/** A column for the query that authenticates each request. */
export const boardsRevision = '(select cast(sum(value) as bigint) from board_changes)';

export async function readBoardsRevision(db: Db) {
	const query = sql<{ revision: number }>`select ${sql.raw(boardsRevision)} as revision`;
	return (await query.execute(db)).rows[0]?.revision ?? 0;
}

const sumOfChanges = (names: string) =>
	`(select coalesce(sum(value), 0) from lease_changes where name in (${names}))`;

const shared = `lease_shares inner join leases on leases.id = lease_shares.lease_id
	where lease_shares.email = accounts.email`;

/** Counts changes of the account, of accounts that share leases with it, and of the queues in which these leases wait. */
export const leasesRevision = `select accounts.id as hash,
	${sumOfChanges('accounts.id')}
	|| ' ' || ${sumOfChanges(`select account_id from ${shared}`)}
	|| ' ' || ${sumOfChanges(`select 'queue ' || board_type from leases
		where account_id = accounts.id and status <> 'ended' and status = 'queued'
		union select 'queue ' || board_type from ${shared} and status = 'queued'`)} as revision
	from accounts where accounts.id`;

const findLeasesRevision = createLookup<{ hash: string; revision: string }>(leasesRevision);

export async function readLeasesRevision(database: Database, accountId: string) {
	return (await findLeasesRevision(database, accountId))?.revision ?? '';
}
