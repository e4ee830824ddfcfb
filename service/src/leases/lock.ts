// One lease at a time is changed by one transaction at a time.
import { onPostgres } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';

/** Reads a lease, and makes others who want to change it wait for this transaction. */
export function lockLease(db: Db, id: string) {
	return db
		.selectFrom('leases')
		.selectAll()
		.where('id', '=', id)
		.$if(onPostgres(db), (query) => query.forUpdate())
		.executeTakeFirst();
}
