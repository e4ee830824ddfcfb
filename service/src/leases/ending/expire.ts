// Ends the leases that have expired: those that hold a board, and those that waited for one.

import type { LeaseRow } from '../../database/schema.ts';
import { now } from '../../database/time.ts';
import type { Parts } from '../../parts.ts';
import { announceLease } from '../changes.ts';
import { expiredMessage } from '../renew.ts';
import { type Ending, endLease } from './end.ts';

export async function expireLeases({ database, wake }: Pick<Parts, 'database' | 'wake'>) {
	const time = now();
	const over = await database.query
		.selectFrom('leases')
		.select('id')
		.where('status', '<>', 'ended')
		.where(({ and, eb, or }) =>
			or([
				eb('expires_at', '<=', time),
				and([eb('status', '=', 'queued'), eb('queued_until', '<=', time)]),
			]),
		)
		.orderBy('id')
		.execute();
	for (const { id } of over) {
		const ended = await endLease(database.query, id, (lease) => timeOver(lease, time));
		if (ended?.status === 'ended') announceLease(wake, ended);
	}
}

/** Read again under the lock: the lease may have been renewed or granted in the meantime. */
function timeOver(lease: LeaseRow, time: string): Ending | undefined {
	if (lease.expires_at !== null && lease.expires_at <= time) {
		return { reason: 'expired', message: expiredMessage };
	}
	if (lease.status !== 'queued' || lease.queued_until > time) return undefined;
	const seconds = Math.round(
		(Date.parse(lease.queued_until) - Date.parse(lease.created_at)) / 1000,
	);
	return { reason: 'no_board', message: `No board became available within ${seconds} seconds.` };
}
