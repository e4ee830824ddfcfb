// Renews a lease: it ends the given minutes from now, never earlier than before.
import { lockAccount } from '../accounts/lock.ts';
import { costBetween } from '../credits/charge.ts';
import { creditsExhausted, spendableCredits } from '../credits/holds.ts';
import { clockOf, timestamp } from '../database/clock.ts';
import type { Db, LeaseRow } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Settings } from '../env.ts';
import { leaseEnded, noSuchLease } from './errors.ts';
import { lockLease } from './store.ts';

const minute = 60_000;

export interface Renewal {
	accountId: string;
	id: string;
	minutes: number;
}

type LongestTime = Pick<Settings, 'leaseMaxMinutes'>;
type Limits = LongestTime & Pick<Settings, 'agentTimeout' | 'webUrl'>;

export function renewLease(
	db: Db,
	{ accountId, id, minutes }: Renewal,
	limits: Limits,
): Promise<LeaseRow> {
	return inTransaction(db, async (db) => {
		await lockAccount(db, accountId);
		const lease = await lockLease(db, id);
		if (lease?.account_id !== accountId) throw noSuchLease();
		const time = clockOf(db).now();
		requireTimeLeft(db, lease, { time, limits });
		// What waits for its board ends at this time only if it has a heartbeat.
		if (lease.status !== 'active' && lease.expires_at === null) return lease;
		const expires_at = renewedUntil(lease, minutes, { time, limits });
		return db
			.updateTable('leases')
			.set({ expires_at, held_credits: await creditsUntil(db, lease, { expires_at, limits }) })
			.where('id', '=', id)
			.returningAll()
			.executeTakeFirstOrThrow();
	});
}

/** A renewal that could not arrive, because this process was paused, is in time after the pause. */
function requireTimeLeft(
	db: Db,
	lease: LeaseRow,
	{ time, limits }: { time: number; limits: Limits },
) {
	if (lease.status === 'ended') throw leaseEnded(lease);
	const isOver = lease.expires_at !== null && lease.expires_at <= timestamp(time);
	if (isOver && clockOf(db).awakeFor() > limits.agentTimeout * 1000) {
		throw leaseEnded({
			...lease,
			end_reason: 'expired',
			end_message: expiredMessage(lease, limits),
		});
	}
}

/** Why the lease expires: no renewal could have moved an end at the maximum. */
export function expiredMessage(lease: LeaseRow, { leaseMaxMinutes }: LongestTime) {
	const latest = latestEnd(lease, { leaseMaxMinutes });
	return lease.expires_at !== null && latest !== null && lease.expires_at >= latest
		? `The lease has reached the maximum duration that the service allows: ${leaseMaxMinutes} min.`
		: 'The lease was not renewed in time.';
}

/** The end that no renewal exceeds; null while the time has not begun. */
export function latestEnd({ started_at }: LeaseRow, { leaseMaxMinutes }: LongestTime) {
	if (started_at === null) return null;
	return timestamp(Date.parse(started_at) + leaseMaxMinutes * minute);
}

/** A heartbeat is no longer than the time that the lease has once it is active. */
function renewedUntil(
	lease: LeaseRow,
	wantedMinutes: number,
	{ time, limits }: { time: number; limits: Limits },
) {
	const wanted = time + wantedMinutes * minute;
	const latest = Date.parse(latestEnd(lease, limits) ?? timestamp(time + lease.minutes * minute));
	const before = lease.expires_at === null ? 0 : Date.parse(lease.expires_at);
	return timestamp(Math.max(before, Math.min(wanted, latest)));
}

async function creditsUntil(
	db: Db,
	{ id, account_id, credits_per_minute, started_at, held_credits }: LeaseRow,
	{ expires_at, limits }: { expires_at: string; limits: Limits },
) {
	if (started_at === null) return held_credits;
	const needed = costBetween(credits_per_minute, started_at, expires_at);
	if (needed <= held_credits) return held_credits;
	const spendable = await spendableCredits(db, account_id, id);
	if (needed > spendable) throw creditsExhausted({ needed, spendable }, limits.webUrl);
	return needed;
}
