// When boards probably become free. These are estimates: a holder can release a board early, or renew.
import type { BoardRow, LeaseRow } from '../../database/schema.ts';
import { suits } from '../rules/order.ts';

const minute = 60_000;

/** When a lease that has a board probably ends; its minutes begin when the board is prepared. */
export function probableEnd(
	{ status, minutes, expires_at }: Pick<LeaseRow, 'status' | 'minutes' | 'expires_at'>,
	now: number,
) {
	const isActive = status === 'active' && expires_at !== null;
	return Math.max(now, isActive ? Date.parse(expires_at) : now + minutes * minute);
}

/** A board that is granted to queued leases, and from when on. */
export interface GrantableBoard
	extends Pick<BoardRow, 'id' | 'board_type' | 'credits_per_minute' | 'agent_id'> {
	freeAt: number;
}

export type QueuedLease = Pick<
	LeaseRow,
	| 'board_type'
	| 'wanted_board_id'
	| 'requires_agent'
	| 'most_credits_per_minute'
	| 'minutes'
	| 'queued_until'
>;

/** When boards are free for a new lease, if each queued lease first gets the board that is free first for it. */
export function freeAfterQueue(boards: readonly GrantableBoard[], queue: readonly QueuedLease[]) {
	return planQueue(boards, queue, 0).free;
}

/** When the minutes of each queued lease probably begin; undefined if nobody can know. */
export function estimateStarts(
	boards: readonly GrantableBoard[],
	queue: readonly QueuedLease[],
	/** How many milliseconds a preparation takes. */
	preparation: number,
) {
	return planQueue(boards, queue, preparation).places;
}

/** Gives each queued lease, in their order, the board that is free first for it. */
function planQueue(
	boards: readonly GrantableBoard[],
	queue: readonly QueuedLease[],
	preparation: number,
) {
	const free = new Map(boards.map(({ id, freeAt }) => [id, freeAt]));
	const places = queue.map((lease) => {
		const id = firstFor(lease, boards, free);
		const freeAt = id === undefined ? undefined : free.get(id);
		if (id === undefined || freeAt === undefined) return undefined;
		/** Otherwise it leaves the queue before. */
		const isInTime = freeAt <= Date.parse(lease.queued_until);
		const start = freeAt + preparation;
		if (isInTime) free.set(id, start + lease.minutes * minute);
		return { start, isInTime };
	});
	return { free, places };
}

function firstFor(
	lease: QueuedLease,
	boards: readonly GrantableBoard[],
	free: ReadonlyMap<string, number>,
) {
	let first: string | undefined;
	let earliest = Number.POSITIVE_INFINITY;
	for (const board of boards) {
		const freeAt = free.get(board.id) ?? earliest;
		if (freeAt >= earliest || !suits(board, lease)) continue;
		[first, earliest] = [board.id, freeAt];
	}
	return first;
}
