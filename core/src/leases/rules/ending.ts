// The end of a lease: its reason, its cost, and its free board.
import { costUntil } from '../../credits/charge.ts';
import type { LeaseRow } from '../../database/schema.ts';
import { newId } from '../../identifier.ts';
import { requeue } from './grant.ts';
import { expiredMessage, isOver, type Judgment } from './minutes.ts';
import {
	type AccountState,
	freeBoardOf,
	groupOf,
	isOpen,
	leaseIn,
	nowIn,
	withFailure,
	withLease,
} from './state.ts';

export interface Ending {
	reason: NonNullable<LeaseRow['end_reason']>;
	message: string;
	/** Until when the lease is charged; by default until now. */
	usedUntil?: string;
}

/** Ends a live lease, and those of its group: their open actions fail, their cost is booked, their boards are free. */
export function end(state: AccountState, id: string, ending: Ending): AccountState {
	return groupOf(state, id).reduce((after, lease) => endOne(after, lease, ending), state);
}

function endOne(state: AccountState, lease: LeaseRow, ending: Ending): AccountState {
	if (lease.status === 'ended') return state;
	const now = nowIn(state);
	const { reason, message, usedUntil = now } = ending;
	const credits = costUntil(lease, usedUntil);
	const ended: LeaseRow = {
		...lease,
		status: 'ended',
		ended_at: now,
		end_reason: reason,
		end_message: message,
		credits,
	};
	return book(withLease(freeBoardOf(withoutOpenActions(state, lease.id), lease), ended), ended);
}

function withoutOpenActions(state: AccountState, leaseId: string): AccountState {
	const failed = {
		status: 'failed',
		message: 'The lease has ended.',
		ended_at: nowIn(state),
	} as const;
	const actions = state.actions.map((action) =>
		action.lease_id === leaseId && isOpen(action) ? { ...action, ...failed } : action,
	);
	return { ...state, actions };
}

function book(state: AccountState, { id, account_id, credits }: LeaseRow): AccountState {
	if (!credits) return state;
	const entry = {
		id: newId('crd'),
		account_id,
		amount: -credits,
		reason: 'lease',
		reference: `lease ${id}`,
		created_at: nowIn(state),
	} as const;
	const { account, entries } = state;
	const balance = account.balance - credits;
	return { ...state, account: { ...account, balance }, entries: [...entries, entry] };
}

export function release(state: AccountState, id: string): AccountState {
	const isQueued = leaseIn(state, id)?.status === 'queued';
	return end(
		state,
		id,
		isQueued
			? { reason: 'cancelled', message: 'The lease was cancelled before a board was available.' }
			: { reason: 'released', message: 'The lease was released.' },
	);
}

/** Ends a lease that was not renewed, or whose wait is over. */
export function expire(
	state: AccountState,
	id: string,
	{ hasListened, limits }: Judgment,
): AccountState {
	const lease = leaseIn(state, id);
	if (!lease || lease.status === 'ended') return state;
	const now = nowIn(state);
	// While the service was paused, nobody could renew the lease.
	if (hasListened && isOver(lease, now)) {
		return end(state, id, { reason: 'expired', message: expiredMessage(lease, limits) });
	}
	if (lease.status !== 'queued' || lease.queued_until > now) return state;
	const waited = Date.parse(lease.queued_until) - Date.parse(lease.created_at);
	const message = `No board became available within ${Math.round(waited / 1000)} seconds.`;
	return end(state, id, { reason: 'no_board', message });
}

/** How long a lease waits at least when its agent was lost during the preparation. */
const patienceAfterLoss = 60_000;

/** A board that its agent does not serve. */
export interface Loss {
	boardId: string;
	fence: number;
	message: string;
	/** Until when the lease is charged. */
	lastContact: string | null;
}

/** Ends an active lease; one that is being prepared waits again. */
export function lose(state: AccountState, id: string, loss: Loss): AccountState {
	const lease = leaseIn(state, id);
	// The lease may have another board by now, or wait for one.
	if (!lease || lease.status === 'ended') return state;
	if (lease.board_id !== loss.boardId || lease.fence !== loss.fence) return state;
	const failed = withFailure(state, lease, 'agent_lost');
	if (lease.status === 'preparing') return requeue(failed, lease, patienceAfterLoss);
	const usedUntil = loss.lastContact ?? lease.created_at;
	return end(failed, id, { reason: 'agent_lost', message: loss.message, usedUntil });
}
