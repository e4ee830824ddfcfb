// A lease becomes active once its board is prepared.
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { now } from '../../database/time.ts';

/** Makes a preparing lease active if its preparation is complete. */
export function activateLease(db: Kysely<Schema>, id: string) {
	return db
		.updateTable('leases')
		.set({ status: 'active', started_at: now() })
		.where('id', '=', id)
		.where('status', '=', 'preparing')
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom('lease_actions')
						.select('lease_actions.id')
						.where('lease_id', '=', id)
						.where('phase', '=', 'prepare')
						.where('status', 'in', ['queued', 'running']),
				),
			),
		)
		.returningAll()
		.executeTakeFirst();
}
