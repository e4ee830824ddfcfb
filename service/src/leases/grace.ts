// The minute in which a lease that waited is ready but costs nothing, so that its holder can come back to the page.
import { clockOf, timestamp } from '../database/clock.ts';
import type { Db, LeaseRow, Owned } from '../database/schema.ts';
import { findLease } from './store.ts';

const grace = 60_000;

/** When the minutes begin of a lease that is ready at a time. Programs, which have a key, are there at once. */
export function chargedFrom(
	{ api_key_id, created_at }: Pick<LeaseRow, 'api_key_id' | 'created_at'>,
	{ granted, ready }: { granted: string; ready: number },
) {
	const hasGrace = api_key_id === null && granted > created_at;
	return hasGrace ? ready + grace : ready;
}

/** Whether the minutes of a lease have not begun, although it is active. */
export function isInGrace({ charged_from }: Pick<LeaseRow, 'charged_from'>, now: string) {
	return charged_from !== null && charged_from > now;
}

/** Begins the minutes of an active lease now, if they have not begun. It keeps as many as it had. */
export async function startMinutes(db: Db, owned: Owned): Promise<LeaseRow> {
	for (;;) {
		const lease = await findLease(db, owned);
		const { status, charged_from, expires_at } = lease;
		const time = clockOf(db).now();
		const now = timestamp(time);
		if (status !== 'active' || !charged_from || !expires_at || !isInGrace(lease, now)) return lease;
		const unused = Date.parse(charged_from) - time;
		const started = await db
			.updateTable('leases')
			.set({ charged_from: now, expires_at: timestamp(Date.parse(expires_at) - unused) })
			.where('id', '=', owned.id)
			.where('status', '=', 'active')
			.where('charged_from', '=', charged_from)
			.where('expires_at', '=', expires_at)
			.returningAll()
			.executeTakeFirst();
		// Otherwise it has been started, renewed or ended in the meantime.
		if (started) return started;
	}
}
