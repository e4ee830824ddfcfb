// What a change of several tables locks, always in this order: the row of an idempotency key that is deleted, an agent,
// the account, its leases, the boards; of several leases or boards, by their identifiers.
import { onPostgres } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';

/** Reads a lease, and makes others who want to change it or its account wait for this transaction. */
export async function lockLease(db: Db, id: string) {
	await db
		.selectFrom('accounts')
		.select('id')
		.where('id', '=', ({ selectFrom }) =>
			selectFrom('leases').select('account_id').where('leases.id', '=', id),
		)
		.$if(onPostgres(db), (query) => query.forNoKeyUpdate())
		.execute();
	return db
		.selectFrom('leases')
		.selectAll()
		.where('id', '=', id)
		.$if(onPostgres(db), (query) => query.forUpdate())
		.executeTakeFirst();
}
