// The service's time in the database: a process that starts, or was suspended, continues from it.
import type { Db, Schema } from '../schema.ts';

/** The service's time and the wall clock at one moment, in milliseconds since 1970, and how often they were stored. */
export type KeptTime = Omit<Schema['service_time'], 'id'>;

export function keptTime(db: Db): Promise<KeptTime | undefined> {
	return db.selectFrom('service_time').select(['time', 'wall', 'changes']).executeTakeFirst();
}

/** Stores the time, and returns whether no other replica was faster. */
export async function keepTime(db: Db, next: KeptTime) {
	const kept = await db
		.insertInto('service_time')
		.values({ id: 1, ...next })
		.onConflict((conflict) =>
			conflict
				.column('id')
				.doUpdateSet(next)
				.where('service_time.changes', '=', next.changes - 1),
		)
		.returning('id')
		.executeTakeFirst();
	return kept !== undefined;
}

/** Whether no lease waits or is active. */
export async function isIdle(db: Db) {
	const live = db.selectFrom('leases').select('id').where('status', '<>', 'ended').limit(1);
	return (await live.executeTakeFirst()) === undefined;
}
