// What a change of several tables locks, always in this order: the account, its lease, the board.
import { onPostgres } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';

/** Locks the accounts of several leases in an order that all follow. */
async function lockHolders(db: Db, leaseIds: readonly (string | null)[]) {
	if (leaseIds.length === 0) return;
	await db
		.selectFrom('accounts')
		.select('id')
		.where('id', 'in', ({ selectFrom }) =>
			selectFrom('leases').select('account_id').where('leases.id', 'in', leaseIds),
		)
		.orderBy('id')
		.$if(onPostgres(db), (query) => query.forNoKeyUpdate())
		.execute();
}

/** Reads a lease, and makes others who want to change it or its account wait for this transaction. */
export async function lockLease(db: Db, id: string) {
	await lockHolders(db, [id]);
	return db
		.selectFrom('leases')
		.selectAll()
		.where('id', '=', id)
		.$if(onPostgres(db), (query) => query.forUpdate())
		.executeTakeFirst();
}
