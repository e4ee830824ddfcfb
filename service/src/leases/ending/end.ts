// Ends a lease, for any reason: once, with its credits booked and its board released.
import { lockCounts } from '../../accounts/lock.ts';
import { releasedStatus } from '../../boards/status.ts';
import { finalCost } from '../../credits/charge.ts';
import { timeIn } from '../../database/clock.ts';
import { newId } from '../../database/identifier.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { defineSteps } from '../../database/steps.ts';
import { inTransaction } from '../../database/transactions.ts';
import { renumberQueue } from '../queue/order.ts';

export interface Ending {
	reason: NonNullable<LeaseRow['end_reason']>;
	message: string;
	/** Until when credits are booked; by default until now. */
	usedUntil?: string;
}

/** A lease that may have ended now, and then whether another one waits for a board of the type it had. */
export type Ended = LeaseRow & { awaited?: unknown };

/** Ends a lease if it is live and `ending` finds a reason; returns it as it is afterwards. */
export async function endLease(
	db: Db,
	id: string,
	ending: (lease: LeaseRow) => Ending | undefined,
): Promise<Ended | undefined> {
	for (;;) {
		const reading = db.selectFrom('leases').selectAll().where('id', '=', id);
		const lease = await reading.executeTakeFirst();
		const found = lease && lease.status !== 'ended' ? ending(lease) : undefined;
		if (!lease || !found) return lease;
		// Otherwise it has changed since it was read, and is judged again.
		const ended = await writeEnding(db, lease, found);
		if (ended) return ended;
	}
}

async function writeEnding(db: Db, lease: LeaseRow, { reason, message, usedUntil }: Ending) {
	const now = timeIn(db);
	const credits = reason === 'prepare_failed' ? 0 : finalCost(lease, usedUntil ?? now);
	const values = {
		id: lease.id,
		account: lease.account_id,
		board: lease.board_id,
		status: lease.status,
		held: lease.held_credits,
		expires: lease.expires_at,
		now,
		reason,
		message,
		credits,
		entry: newId('crd'),
	};
	const [ended] = await end<Ended>(db, { ...values, queued: 0 });
	return ended ?? inTransaction(db, (db) => endInQueue(db, values));
}

/** The account waits for boards: the turns of its leases change. */
async function endInQueue(db: Db, values: { account: string }) {
	const account = await lockCounts(db, values.account);
	if (!account) throw new Error('The lease has no account');
	const [ended] = await end<Ended>(db, { ...values, queued: account.queued_leases });
	if (ended) await renumberQueue(db, values.account);
	return ended;
}

const end = defineSteps(
	{
		account: `select id from accounts where id = :account and queued_leases <= cast(:queued as integer)
			{for no key update}`,
		lease: `update leases set status = 'ended', ended_at = :now, end_reason = :reason, end_message = :message,
				credits = cast(:credits as integer), held_credits = 0, turn = null
			where id = :id and status = :status and held_credits = cast(:held as integer)
				and coalesce(expires_at, '') = coalesce(:expires, '') and coalesce(board_id, '') = coalesce(:board, '')
				and exists (select 1 from account)
			returning *, leases.board_id is not null and exists (
				select 1 from leases as other where other.status = 'queued' and other.board_type = leases.board_type
			) as awaited`,
		action: `update lease_actions set status = 'failed', message = 'The lease has ended.', ended_at = :now
			where lease_id = :id and status in ('queued', 'running') and exists (select 1 from lease)
			returning id`,
		entry: `insert into credit_entries (id, account_id, amount, reason, reference, created_at)
			select :entry, :account, -cast(:credits as integer), 'lease', 'lease ' || :id, :now
			from lease where cast(:credits as integer) > 0
			returning id`,
		holder: `update accounts set live_leases = live_leases - 1,
				queued_leases = queued_leases - case cast(:status as text) when 'queued' then 1 else 0 end,
				held_credits = held_credits - cast(:held as integer), balance = balance - cast(:credits as integer)
			where id = :account and exists (select 1 from lease)
			returning id`,
		board: `update boards set lease_id = null, lease_account_id = null, ${releasedStatus}
			where id = :board and lease_id = :id and exists (select 1 from lease)
			returning id`,
	},
	'lease',
);
