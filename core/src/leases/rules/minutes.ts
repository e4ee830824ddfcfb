// The minutes of a lease: when they begin and end, and how renewals move their end.
import { accountDisabled } from '../../accounts/lock.ts';
import { creditsExhausted } from '../../credits/holds.ts';
import { timestamp } from '../../database/clock.ts';
import type { LeaseRow } from '../../database/schema.ts';
import { leaseEnded } from '../errors.ts';
import {
	type AccountState,
	heldBy,
	type LeaseLimits,
	leaseIn,
	nowIn,
	spendableIn,
	withLease,
} from './state.ts';

const minute = 60_000;

/** How long a lease that waited costs nothing when its board is ready. */
export const graceSeconds = 60;

/** Begins the minutes of a lease whose board is prepared, at once or after its grace. */
export function activate(state: AccountState, lease: LeaseRow): AccountState {
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

/** Programs, which have a key, are there at once; somebody at a page that waited may be elsewhere. */
export function graceAfterWait({ api_key_id }: Pick<LeaseRow, 'api_key_id'>) {
	return api_key_id === null ? graceSeconds : 0;
}

/** Whether its minutes have not begun, although it is active. */
export function isInGrace({ charged_from }: Pick<LeaseRow, 'charged_from'>, now: string) {
	return charged_from !== null && charged_from > now;
}

/** Begins the minutes now, if the lease is in its grace. It keeps as many as it had. */
export function begin(state: AccountState, id: string): AccountState {
	const lease = leaseIn(state, id);
	const now = nowIn(state);
	if (lease?.status !== 'active' || !isInGrace(lease, now)) return state;
	const unused = Date.parse(lease.charged_from ?? now) - state.time;
	const expires_at = timestamp(Date.parse(lease.expires_at ?? now) - unused);
	return withLease(state, { ...lease, charged_from: now, expires_at });
}

export interface Judgment {
	/** Whether renewals would have arrived: this process was not paused. */
	hasListened: boolean;
	limits: LeaseLimits;
}

export interface Renewal {
	minutes: number;
	/** Whether the minutes count from the end of the lease, and not from now. */
	fromEnd?: boolean;
}

/** Moves the end of a lease, never to an earlier time. What waits for its board has an end only with a heartbeat. */
export function renew(
	state: AccountState,
	id: string,
	{ hasListened, limits, ...renewal }: Renewal & Judgment,
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
	const renewed = {
		...lease,
		expires_at: renewedUntil(lease, { ...renewal, time: state.time, limits }),
	};
	const more = heldBy(renewed) - heldBy(lease);
	const spendable = spendableIn(state);
	if (more > Math.max(0, spendable)) {
		const held = heldBy(lease);
		const credits = { needed: held + more, spendable: spendable + held };
		throw creditsExhausted(credits, limits.webUrl);
	}
	return withLease(state, renewed);
}

/** A heartbeat reaches no further than the time that the lease has once it is active. */
function renewedUntil(
	lease: LeaseRow,
	{ minutes, fromEnd = false, time, limits }: Renewal & { time: number; limits: LeaseLimits },
) {
	const latest = Date.parse(latestEnd(lease, limits) ?? timestamp(time + lease.minutes * minute));
	const before = Date.parse(lease.expires_at ?? timestamp(0));
	const wanted = (fromEnd ? Math.max(before, time) : time) + minutes * minute;
	return timestamp(Math.max(before, Math.min(wanted, latest)));
}

/** The end that no renewal exceeds; null while the minutes have not begun. */
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

/** Why the lease expires: no renewal could have moved an end at the maximum. */
export function expiredMessage(lease: LeaseRow, { leaseMaxMinutes }: LeaseLimits) {
	const latest = latestEnd(lease, { leaseMaxMinutes });
	return lease.expires_at !== null && latest !== null && lease.expires_at >= latest
		? `The lease has reached the maximum duration that the service allows: ${leaseMaxMinutes} min.`
		: 'The lease was not renewed in time.';
}
