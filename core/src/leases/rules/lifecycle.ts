// The life of a lease. Each rule takes the state of an account and returns the one that follows; a rule that changes
// nothing returns the same state. None reads a clock or a database.
import { accountDisabled } from '../../accounts/lock.ts';
import { costUntil } from '../../credits/charge.ts';
import { creditsExhausted } from '../../credits/holds.ts';
import { timestamp } from '../../database/clock.ts';
import { newId } from '../../database/identifier.ts';
import type { BoardRow, LeaseActionRow, LeaseRow } from '../../database/schema.ts';
import type { Settings } from '../../env.ts';
import { ApiError } from '../../errors.ts';
import { newFailure } from '../../operations/failures.ts';
import { invalid } from '../../validation.ts';
import { leaseEnded } from '../errors.ts';
import { noConsole, type Request, requestedLease } from './lease.ts';
import { rankOf } from './order.ts';
import {
	type AccountState,
	actionsOf,
	boardIn,
	heldBy,
	isOpen,
	leaseIn,
	liveLeases,
	nowIn,
	spendableIn,
	withBoard,
	withLease,
} from './state.ts';
import { stepsOf, type UsableImage } from './steps.ts';

export type LeaseLimits = Pick<
	Settings,
	'leaseMaxMinutes' | 'leasePreparationSeconds' | 'leasesPerAccount' | 'webUrl'
>;

const minute = 60_000;

/** How long a lease that waited costs nothing when its board is ready, unless it was created with a key. */
const grace = 60_000;

/** How often a lease waits longer than was asked for. */
const maxExtensions = 2;

/** The most leases that a message names. */
const maxNamed = 10;

/* The queue */

/** Throws unless the account may ask for another lease of these minutes. */
export function requireRoom(
	state: AccountState,
	minutes: number,
	{ leaseMaxMinutes, leasesPerAccount }: LeaseLimits,
) {
	if (minutes > leaseMaxMinutes) {
		throw invalid([{ path: 'minutes', message: `must be at most ${leaseMaxMinutes}` }]);
	}
	if (state.account.disabled_at !== null) throw accountDisabled();
	const live = liveLeases(state);
	if (live.length < leasesPerAccount) return;
	const named = live.slice(0, maxNamed).map(({ id }) => id);
	throw new ApiError(
		'lease_limit',
		`An account can have ${leasesPerAccount} leases at a time, including those in the queue. It has ${named.join(', ')}.`,
		{ hint: 'Release a lease, or wait until one ends.' },
	);
}

/** Adds a request to the queue. */
export function request(state: AccountState, wanted: Request): AccountState {
	const rank = rankOf(state.time, liveLeases(state).length);
	return withLease(state, requestedLease(state, wanted, rank));
}

export interface Grant {
	board: BoardRow;
	/** The enabled base images of its type, in order. */
	images: readonly UsableImage[];
}

/** Gives a waiting lease a free board. Its fence is higher than all before, of the board and of the lease. */
export function grant(
	state: AccountState,
	id: string,
	{ board, images, limits }: Grant & { limits: LeaseLimits },
): AccountState {
	const lease = leaseIn(state, id);
	if (lease?.status !== 'queued') return state;
	const now = nowIn(state);
	const fence = 1 + Math.max(board.fence, lease.fence ?? 0);
	const steps = stepsOf(board, images);
	const granted: LeaseRow = {
		...lease,
		status: 'preparing',
		board_id: board.id,
		fence,
		credits_per_minute: board.credits_per_minute,
		granted_at: now,
		preparation_expires_at: timestamp(state.time + limits.leasePreparationSeconds * 1000),
	};
	const first = 1 + Math.max(-1, ...actionsOf(state, id).map(({ position }) => position));
	const added = steps.map((step, index) =>
		newStep(state, id, { ...step, position: first + index }),
	);
	const held = withBoard(withLease({ ...state, actions: [...state.actions, ...added] }, granted), {
		...board,
		lease_id: id,
		lease_account_id: lease.account_id,
		fence,
	});
	return steps.length === 0 ? activate(held, granted) : held;
}

type NewStep = Pick<
	LeaseActionRow,
	'position' | 'action' | 'name' | 'url' | 'file_id' | 'flash_offset'
>;

function newStep(state: AccountState, leaseId: string, step: NewStep): LeaseActionRow {
	return {
		id: newId('act'),
		lease_id: leaseId,
		phase: 'prepare',
		...step,
		status: 'queued',
		message: '',
		progress: null,
		console_offset: null,
		created_at: nowIn(state),
		ended_at: null,
		requested_by: null,
	};
}

/** Takes the board from a lease that is being prepared, and lets it wait for another one at its place in the order. */
export function requeue(state: AccountState, lease: LeaseRow, patience: number): AccountState {
	const earliest = timestamp(state.time + patience);
	const isExtended = lease.queued_until < earliest && lease.wait_extensions < maxExtensions;
	const queued: LeaseRow = {
		...lease,
		status: 'queued',
		board_id: null,
		granted_at: null,
		preparation_expires_at: null,
		...noConsole,
		...(isExtended && { queued_until: earliest, wait_extensions: lease.wait_extensions + 1 }),
	};
	return {
		...withLease(released(state, lease), queued),
		actions: state.actions.filter((action) => action.lease_id !== lease.id || !isOpen(action)),
		withoutConsole: [...state.withoutConsole, lease.id],
	};
}

/* The minutes */

/** Begins the minutes of a lease whose board is prepared, at once or after its grace. */
export function activate(state: AccountState, lease: LeaseRow): AccountState {
	const begins = state.time + (hasGrace(lease) ? grace : 0);
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
function hasGrace({ api_key_id, created_at, granted_at }: LeaseRow) {
	return api_key_id === null && granted_at !== null && granted_at > created_at;
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

/* The end */

export interface Ending {
	reason: NonNullable<LeaseRow['end_reason']>;
	message: string;
	/** Until when credits are booked; by default until now. */
	usedUntil?: string;
}

/** Ends a live lease once: its open actions fail, its cost is booked, and its board is released. */
export function end(state: AccountState, id: string, ending: Ending): AccountState {
	const lease = leaseIn(state, id);
	if (!lease || lease.status === 'ended') return state;
	const now = nowIn(state);
	const { reason, message, usedUntil = now } = ending;
	const credits = reason === 'prepare_failed' ? 0 : costUntil(lease, usedUntil);
	const ended: LeaseRow = {
		...lease,
		status: 'ended',
		ended_at: now,
		end_reason: reason,
		end_message: message,
		credits,
	};
	return book(withLease(released(withoutOpenActions(state, id), lease), ended), ended);
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

/** The board of a lease has no lease any more. */
function released(state: AccountState, lease: LeaseRow): AccountState {
	const board = boardIn(state, lease.board_id);
	if (board?.lease_id !== lease.id) return state;
	return withBoard(state, { ...board, lease_id: null, lease_account_id: null });
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

/** Ends a lease that was not renewed, or that has waited for as long as was asked for. */
export function expire(
	state: AccountState,
	id: string,
	{ hasListened, limits }: Judgment,
): AccountState {
	const lease = leaseIn(state, id);
	if (!lease || lease.status === 'ended') return state;
	const now = nowIn(state);
	// Nobody could renew it while the service was paused.
	if (hasListened && isOver(lease, now)) {
		return end(state, id, { reason: 'expired', message: expiredMessage(lease, limits) });
	}
	if (lease.status !== 'queued' || lease.queued_until > now) return state;
	const waited = Date.parse(lease.queued_until) - Date.parse(lease.created_at);
	const message = `No board became available within ${Math.round(waited / 1000)} seconds.`;
	return end(state, id, { reason: 'no_board', message });
}

function isOver({ expires_at }: LeaseRow, now: string) {
	return expires_at !== null && expires_at <= now;
}

/** Why the lease expires: no renewal could have moved an end at the maximum. */
function expiredMessage(lease: LeaseRow, { leaseMaxMinutes }: LeaseLimits) {
	const latest = latestEnd(lease, { leaseMaxMinutes });
	return lease.expires_at !== null && latest !== null && lease.expires_at >= latest
		? `The lease has reached the maximum duration that the service allows: ${leaseMaxMinutes} min.`
		: 'The lease was not renewed in time.';
}

/** How long a lease whose agent was lost while it was prepared waits for another board at least. */
const patienceAfterLoss = 60_000;

/** A board that its agent does not serve, with the fence that it had when that was found. */
export interface Loss {
	boardId: string;
	fence: number;
	message: string;
	/** Until when the lease is paid for. */
	lastContact: string | null;
}

/** A lease whose board is not served: it ends if it was active, and waits again if it was being prepared. */
export function lose(state: AccountState, id: string, loss: Loss): AccountState {
	const lease = leaseIn(state, id);
	// By now it may have another board, or wait for one.
	if (!lease || lease.status === 'ended') return state;
	if (lease.board_id !== loss.boardId || lease.fence !== loss.fence) return state;
	const failed = withFailure(state, lease, 'agent_lost');
	if (lease.status === 'preparing') return requeue(failed, lease, patienceAfterLoss);
	const usedUntil = loss.lastContact ?? lease.created_at;
	return end(failed, id, { reason: 'agent_lost', message: loss.message, usedUntil });
}

export function withFailure(
	state: AccountState,
	{ id, board_id }: LeaseRow,
	cause: Parameters<typeof newFailure>[1]['cause'],
): AccountState {
	const board = boardIn(state, board_id);
	if (!board) return state;
	const failure = newFailure(nowIn(state), {
		cause,
		lease_id: id,
		board_id: board.id,
		agent_id: board.agent_id,
	});
	return { ...state, failures: [...state.failures, failure] };
}
