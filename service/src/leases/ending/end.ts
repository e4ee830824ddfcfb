// Ends a lease, for any reason: once, with its credits booked and its board released.
import { releaseBoard } from '../../boards/status.ts';
import { bookLease, finalCost } from '../../credits/charge.ts';
import { timeIn } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { lockLease } from '../store.ts';

export interface Ending {
	reason: NonNullable<LeaseRow['end_reason']>;
	message: string;
	/** Until when credits are booked; by default until now. */
	usedUntil?: string;
}

/** Ends a lease if it is live and `ending` still finds a reason; returns it as it is afterwards. */
export function endLease(
	db: Db,
	id: string,
	ending: (lease: LeaseRow) => Ending | undefined,
): Promise<LeaseRow | undefined> {
	return inTransaction(db, async (db) => {
		const lease = await lockLease(db, id);
		const found = lease && lease.status !== 'ended' ? ending(lease) : undefined;
		return lease && found ? writeEnding(db, lease, found) : lease;
	});
}

async function writeEnding(db: Db, lease: LeaseRow, ending: Ending) {
	const ended_at = timeIn(db);
	const { reason, message, usedUntil = ended_at } = ending;
	const credits = reason === 'prepare_failed' ? 0 : finalCost(lease, usedUntil);
	const ended = await db
		.updateTable('leases')
		.set({
			status: 'ended',
			ended_at,
			end_reason: reason,
			end_message: message,
			credits,
			held_credits: 0,
		})
		.where('id', '=', lease.id)
		.returningAll()
		.executeTakeFirstOrThrow();
	await db
		.updateTable('lease_actions')
		.set({ status: 'failed', message: 'The lease has ended.', ended_at })
		.where('lease_id', '=', lease.id)
		.where('status', 'in', ['queued', 'running'])
		.execute();
	await bookLease(db, lease, credits);
	if (lease.board_id !== null) {
		await releaseBoard(db, { boardId: lease.board_id, leaseId: lease.id });
	}
	return ended;
}
