// Renews a lease: it ends the given minutes from now or after its present end, never earlier than before.

import { type Claim, claimStep, claimValues } from '../claims.ts';
import { costBetween } from '../credits/charge.ts';
import { creditsExhausted, spendableCredits } from '../credits/holds.ts';
import { clockOf, timestamp } from '../database/clock.ts';
import type { Db, LeaseRow } from '../database/schema.ts';
import { defineSteps } from '../database/steps.ts';
import type { Settings } from '../env.ts';
import { leaseEnded } from './errors.ts';
import { findLease } from './store.ts';

const minute = 60_000;

export interface Renewal {
	accountId: string;
	id: string;
	minutes: number;
	/** Whether the minutes count from the end of the lease, and not from now. */
	fromEnd?: boolean;
}

type LongestTime = Pick<Settings, 'leaseMaxMinutes'>;
type Limits = LongestTime & Pick<Settings, 'agentTimeout' | 'webUrl'>;

export async function renewLease(
	db: Db,
	{ accountId, id, ...wanted }: Renewal,
	limits: Limits,
	claim?: Claim,
): Promise<LeaseRow> {
	for (;;) {
		const lease = await findLease(db, { accountId, id });
		const time = clockOf(db).now();
		requireTimeLeft(db, lease, { time, limits });
		// What waits for its board ends at this time only if it has a heartbeat.
		const waits = lease.status !== 'active' && lease.expires_at === null;
		const expires_at = waits ? null : renewedUntil(lease, wanted, { time, limits });
		const more = expires_at === null ? 0 : creditsUntil(lease, expires_at) - lease.held_credits;
		const [renewed] = await renew<LeaseRow>(db, {
			id,
			account: accountId,
			status: lease.status,
			before: lease.expires_at,
			expires: expires_at,
			more: Math.max(0, more),
			now: timestamp(time),
			...claimValues(claim),
		});
		if (renewed) return renewed;
		// Otherwise the lease has changed in the meantime.
		await requireCredits(db, lease, { more, limits });
	}
}

const renew = defineSteps(
	{
		account: `select id from accounts where id = :account and disabled_at is null
			and (cast(:more as integer) = 0 or balance - held_credits >= cast(:more as integer))
			{for no key update}`,
		lease: `update leases set expires_at = :expires, held_credits = held_credits + cast(:more as integer)
			where id = :id and status = :status and coalesce(expires_at, '') = coalesce(:before, '')
				and exists (select 1 from account)
			returning *`,
		holder: `update accounts set held_credits = held_credits + cast(:more as integer)
			where id = :account and cast(:more as integer) > 0 and exists (select 1 from lease)
			returning id`,
		claim: claimStep('lease'),
	},
	'lease',
);

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
export function latestEnd({ charged_from }: LeaseRow, { leaseMaxMinutes }: LongestTime) {
	if (charged_from === null) return null;
	return timestamp(Date.parse(charged_from) + leaseMaxMinutes * minute);
}

/** A heartbeat is no longer than the time that the lease has once it is active. */
function renewedUntil(
	lease: LeaseRow,
	{ minutes, fromEnd = false }: Pick<Renewal, 'minutes' | 'fromEnd'>,
	{ time, limits }: { time: number; limits: Limits },
) {
	const latest = Date.parse(latestEnd(lease, limits) ?? timestamp(time + lease.minutes * minute));
	const before = lease.expires_at === null ? 0 : Date.parse(lease.expires_at);
	const wanted = (fromEnd ? Math.max(before, time) : time) + minutes * minute;
	return timestamp(Math.max(before, Math.min(wanted, latest)));
}

/** What the lease has to hold until then, which is never less than before. */
function creditsUntil(
	{ credits_per_minute, charged_from, held_credits }: LeaseRow,
	expires_at: string,
) {
	if (charged_from === null) return held_credits;
	return Math.max(held_credits, costBetween(credits_per_minute, charged_from, expires_at));
}

async function requireCredits(
	db: Db,
	{ account_id, held_credits }: LeaseRow,
	{ more, limits }: { more: number; limits: Limits },
) {
	const spendable = await spendableCredits(db, account_id);
	if (more <= 0 || more <= spendable) return;
	const needed = held_credits + more;
	throw creditsExhausted({ needed, spendable: spendable + held_credits }, limits.webUrl);
}
