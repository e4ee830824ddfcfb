// What an account may request, and the lease as it enters the queue.
import type { leaseInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { accountDisabled } from '../../accounts/lock.ts';
import { timestamp } from '../../database/clock.ts';
import type { LeaseRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { invalid } from '../../validation.ts';
import { rankOf } from './order.ts';
import { type AccountState, type LeaseLimits, liveLeases, noConsole } from './state.ts';

/** How many leases a message names. */
const maxNamed = 10;

export type NewLease = Omit<z.output<typeof leaseInput>, 'board_type'> &
	Pick<LeaseRow, 'id' | 'role' | 'group_id' | 'same_tag' | 'board_type'> & {
		keyId: string | null;
		/** The highest accepted price. */
		maxCreditsPerMinute: number;
	};

/** Throws unless the account may request as many other leases of this duration. */
export function requireRoom(
	state: AccountState,
	{ minutes, count }: { minutes: number; count: number },
	{ leaseMaxMinutes, leasesPerAccount }: LeaseLimits,
) {
	if (count > leasesPerAccount) {
		const message = `must be at most ${leasesPerAccount}: an account can have no more leases at a time`;
		throw invalid([{ path: 'boards', message }]);
	}
	if (minutes > leaseMaxMinutes) {
		throw invalid([{ path: 'minutes', message: `must be at most ${leaseMaxMinutes}` }]);
	}
	if (state.account.disabled_at !== null) throw accountDisabled();
	const live = liveLeases(state);
	if (live.length + count <= leasesPerAccount) return;
	const named = live.slice(0, maxNamed).map(({ id }) => id);
	throw new ApiError(
		'lease_limit',
		`An account can have ${leasesPerAccount} leases at a time, including those in the queue. It has ${named.join(', ')}.`,
		{ hint: 'Release a lease, or wait until one ends.' },
	);
}

/** `count`: how many leases the request has. */
export function requestedLease(state: AccountState, wanted: NewLease, count: number): LeaseRow {
	const { time, account } = state;
	const later = (seconds: number) => timestamp(time + seconds * 1000);
	return {
		id: wanted.id,
		account_id: account.id,
		api_key_id: wanted.keyId,
		label: wanted.label || null,
		status: 'queued',
		rank: rankOf(time, liveLeases(state).length + count - 1),
		board_type: wanted.board_type,
		wanted_board_id: wanted.board_id ?? null,
		wanted_tags: JSON.stringify(wanted.tags),
		group_id: wanted.group_id,
		role: wanted.role,
		same_tag: wanted.same_tag,
		requires_agent: wanted.requires_agent ? 1 : 0,
		credits_per_minute: wanted.maxCreditsPerMinute,
		most_credits_per_minute: wanted.maxCreditsPerMinute,
		held_credits: 0,
		minutes: wanted.minutes,
		created_at: later(0),
		queued_until: later(wanted.wait_seconds),
		expires_at: wanted.heartbeat ? later(wanted.minutes * 60) : null,
		board_id: null,
		fence: null,
		wait_extensions: 0,
		granted_at: null,
		preparation_expires_at: null,
		started_at: null,
		charged_from: null,
		ended_at: null,
		end_reason: null,
		end_message: null,
		credits: null,
		action_changes: 0,
		...noConsole,
		summed: 1,
	};
}
