// The minutes of a lease: when they begin and end, and renewals.
import { accountDisabled } from '../../accounts/lock.ts';
import { creditsExhausted } from '../../credits/holds.ts';
import { timestamp } from '../../database/clock.ts';
import type { LeaseRow } from '../../database/schema.ts';
import { leaseEnded } from '../errors.ts';
import {
	type AccountState,
	creditsHeldBy,
	groupOf,
	isReady,
	type LeaseLimits,
	leaseIn,
	nowIn,
	spendableIn,
	withLease,
} from './state.ts';

const minute = 60_000;

/** How long the board of a lease that has waited costs nothing. */
const graceSeconds = 60;

/** Makes a lease and its group active, once all their boards are ready. */
export function activateIfReady(state: AccountState, id: string): AccountState {
	return isReady(state, id) ? groupOf(state, id).reduce(activate, state) : state;
}

/** The minutes begin at once, or after the grace. */
function activate(state: AccountState, lease: LeaseRow): AccountState {
	const { granted_at, created_at } = lease;
	const hasWaited = granted_at !== null && granted_at > created_at;
	const begins = state.time + (hasWaited ? graceAfterWait(lease) * 1000 : 0);
	return withLease(state, {
		...lease,
		status: 'active',
		preparation_expires_at: null,
		started_at: nowIn(state),
		charged_from: timestamp(begins),
		expires_at: timestamp(begins + lease.minutes * minute),
	});
}

/** A program with a key starts at once; somebody who has waited at a page may be away. */
export function graceAfterWait({ api_key_id }: Pick<LeaseRow, 'api_key_id'>) {
	return api_key_id === null ? graceSeconds : 0;
}

export function isInGrace({ charged_from }: Pick<LeaseRow, 'charged_from'>, now: string) {
	return charged_from !== null && charged_from > now;
}

/** Ends the grace of a lease and its group: their minutes begin now. */
export function begin(state: AccountState, id: string): AccountState {
	return groupOf(state, id).reduce(beginOne, state);
}

function beginOne(state: AccountState, lease: LeaseRow): AccountState {
	const now = nowIn(state);
	if (lease.status !== 'active' || !isInGrace(lease, now)) return state;
	const unused = Date.parse(lease.charged_from ?? now) - state.time;
	const expires_at = timestamp(Date.parse(lease.expires_at ?? now) - unused);
	return withLease(state, { ...lease, charged_from: now, expires_at });
}

export interface Judgment {
	/** Whether renewals would have arrived, because this process was not paused. */
	hasListened: boolean;
	/** What the leases of the key with which this one was requested may still cost. */
	creditsOfKey?: number | undefined;
	limits: LeaseLimits;
}

export interface Renewal {
	minutes: number;
	/** Whether the minutes count from the present end of the lease. */
	fromEnd?: boolean;
}

/**
 * Renews a lease and its group. Never moves the end to an earlier time. A lease that waits for its board has an end
 * only with a heartbeat.
 */
export function renew(
	state: AccountState,
	id: string,
	{ hasListened, creditsOfKey = Number.POSITIVE_INFINITY, limits, ...renewal }: Renewal & Judgment,
): AccountState {
	const lease = leaseIn(state, id);
	if (!lease) return state;
	if (state.account.disabled_at !== null) throw accountDisabled();
	if (lease.status === 'ended') throw leaseEnded(lease);
	if (hasListened && isOver(lease, nowIn(state))) {
		throw leaseEnded({
			...lease,
			end_reason: 'expired',
			end_message: expiredMessage(lease, limits),
		});
	}
	if (lease.status !== 'active' && lease.expires_at === null) return state;
	const expires_at = renewedUntil(lease, { ...renewal, time: state.time, limits });
	const group = groupOf(state, id);
	const renewed = group.reduce((after, one) => withLease(after, { ...one, expires_at }), state);
	const held = creditsHeldBy(group);
	const spendable = spendableIn(state);
	const more = spendable - spendableIn(renewed);
	if (more > Math.max(0, Math.min(spendable, creditsOfKey))) {
		const ofKey = creditsOfKey + held;
		const credits = { needed: held + more, spendable: spendable + held, ofKey };
		throw creditsExhausted(credits, limits.webUrl);
	}
	return renewed;
}

/** A heartbeat extends a waiting lease by no more than its minutes. */
function renewedUntil(
	lease: LeaseRow,
	{ minutes, fromEnd = false, time, limits }: Renewal & { time: number; limits: LeaseLimits },
) {
	const latest = Date.parse(latestEnd(lease, limits) ?? timestamp(time + lease.minutes * minute));
	const before = Date.parse(lease.expires_at ?? timestamp(0));
	const wanted = (fromEnd ? Math.max(before, time) : time) + minutes * minute;
	return timestamp(Math.max(before, Math.min(wanted, latest)));
}

/** The latest end that renewals can reach; null before the minutes begin. */
export function latestEnd(
	{ charged_from }: Pick<LeaseRow, 'charged_from'>,
	{ leaseMaxMinutes }: Pick<LeaseLimits, 'leaseMaxMinutes'>,
) {
	if (charged_from === null) return null;
	return timestamp(Date.parse(charged_from) + leaseMaxMinutes * minute);
}

export function isOver({ expires_at }: LeaseRow, now: string) {
	return expires_at !== null && expires_at <= now;
}

export function expiredMessage(lease: LeaseRow, { leaseMaxMinutes }: LeaseLimits) {
	const latest = latestEnd(lease, { leaseMaxMinutes });
	return lease.expires_at !== null && latest !== null && lease.expires_at >= latest
		? `The lease has reached the maximum duration that the service allows: ${leaseMaxMinutes} min.`
		: 'The lease was not renewed in time.';
}
