import { locking } from '../database/locks.ts';
import type { Db } from '../database/schema.ts';
import { noSuchLease } from './errors.ts';

/** Locks a lease and its account. */
export async function lockLease(db: Db, id: string) {
	await db
		.selectFrom('accounts')
		.select('id')
		.where('id', '=', ({ selectFrom }) =>
			selectFrom('leases').select('account_id').where('leases.id', '=', id),
		)
		.$call(locking(db, 'accounts'))
		.execute();
	return lockRow(db, id);
}

/** Locks a lease, but not its account. */
export function lockRow(db: Db, id: string) {
	return db
		.selectFrom('leases')
		.selectAll()
		.where('id', '=', id)
		.$call(locking(db, 'leases'))
		.executeTakeFirstOrThrow(noSuchLease);
}
