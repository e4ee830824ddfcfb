// Ends a lease on request.
import { record } from '../../activity/record.ts';
import type { Db, Owned } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { noSuchLease } from '../errors.ts';
import { type Ended, endLease } from './end.ts';

export async function releaseLease(db: Db, { accountId, id }: Owned): Promise<Ended> {
	const lease = await endLease(db, id, ({ account_id, status }) => {
		if (account_id !== accountId) return undefined;
		return status === 'queued'
			? { reason: 'cancelled', message: 'The lease was cancelled before a board was available.' }
			: { reason: 'released', message: 'The lease was released.' };
	});
	if (lease?.account_id !== accountId) throw noSuchLease();
	return lease;
}

export function endLeaseAsAdmin(db: Db, id: string): Promise<Ended> {
	return inTransaction(db, async (db) => {
		let live = false;
		const lease = await endLease(db, id, () => {
			live = true;
			return { reason: 'admin', message: 'An administrator ended the lease.' };
		});
		if (!lease) throw noSuchLease();
		const { account_id: accountId, board_id: board } = lease;
		if (live)
			await record(db, { kind: 'lease.ended', accountId, subjectId: id, details: { board } });
		return lease;
	});
}

/** Ends all leases of an account, or for a board, that is removed or disabled, and returns them. */
export async function endLeasesOf(
	db: Db,
	owner: { account_id: string } | { wanted_board_id: string },
	ending: Parameters<typeof endLease>[2],
) {
	const live = await db
		.selectFrom('leases')
		.select('id')
		.where(({ and }) => and(owner))
		.where('status', '<>', 'ended')
		.orderBy('id')
		.execute();
	const ended: Ended[] = [];
	for (const { id } of live) {
		const lease = await endLease(db, id, ending);
		if (lease) ended.push(lease);
	}
	return ended;
}
