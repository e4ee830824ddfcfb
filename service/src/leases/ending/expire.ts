// Ends the leases that have expired: those that were not renewed, those that waited for a board for
// too long, and preparations that take too long.
import type { LeaseRow } from '../../database/schema.ts';
import type { Settings } from '../../env.ts';
import type { Parts } from '../../parts.ts';
import { announceLease } from '../changes.ts';
import { failLatePreparation } from '../preparation/outcome.ts';
import { expiredMessage } from '../renew.ts';
import { type Ending, endLease } from './end.ts';

interface Judgment {
	time: string;
	/** Whether what had to come from users and agents would have arrived. */
	hasListened: boolean;
}

/** Ends those of these leases that are over. */
export async function expireLeases(
	{ database, wake, settings }: Parts,
	{ ids, time, hasListened }: Judgment & { ids: string[] },
) {
	const over = await database.query
		.selectFrom('leases')
		.selectAll()
		.where('id', 'in', ids)
		.orderBy('id')
		.execute();
	for (const lease of over) {
		const ending = (found: LeaseRow) => timeOver(found, { time, hasListened, ...settings });
		const changed = ending(lease)
			? await endLease(database.query, lease.id, ending)
			: hasListened && (await failLatePreparation(database.query, lease.id, { time, ...settings }));
		if (!changed) continue;
		announceLease(wake, { ...changed, board_id: lease.board_id });
	}
}

/** Read again under the lock: the lease may have been renewed or granted in the meantime. */
function timeOver(
	lease: LeaseRow,
	{ time, hasListened, ...limits }: Judgment & Pick<Settings, 'leaseMaxMinutes'>,
): Ending | undefined {
	if (hasListened && lease.expires_at !== null && lease.expires_at <= time) {
		return { reason: 'expired', message: expiredMessage(lease, limits) };
	}
	if (lease.status !== 'queued' || lease.queued_until > time) return undefined;
	const seconds = Math.round(
		(Date.parse(lease.queued_until) - Date.parse(lease.created_at)) / 1000,
	);
	return { reason: 'no_board', message: `No board became available within ${seconds} seconds.` };
}
