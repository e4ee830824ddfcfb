// A lease becomes active once its board is prepared. Its minutes begin here.
import { clockOf, timestamp } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';

const minute = 60_000;

/** The fields of a lease that is active from this time on. */
export function activeValues(
	{ minutes, credits_per_minute }: Pick<LeaseRow, 'minutes' | 'credits_per_minute'>,
	time: number,
) {
	return {
		status: 'active' as const,
		started_at: timestamp(time),
		expires_at: timestamp(time + minutes * minute),
		held_credits: credits_per_minute * minutes,
	};
}

/** Makes a preparing lease active if its preparation is complete. */
export function activateLease(db: Db, lease: LeaseRow) {
	return db
		.updateTable('leases')
		.set(activeValues(lease, clockOf(db).now()))
		.where('id', '=', lease.id)
		.where('status', '=', 'preparing')
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom('lease_actions')
						.select('lease_actions.id')
						.where('lease_id', '=', lease.id)
						.where('phase', '=', 'prepare')
						.where('status', 'in', ['queued', 'running']),
				),
			),
		)
		.returningAll()
		.executeTakeFirst();
}
