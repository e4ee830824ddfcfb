// When boards probably become free. A plan grants what is free now; this looks ahead, and is an estimate: a holder can
// release a board early, or renew.
import type { LeaseRow } from '../../database/schema.ts';
import { type Suitable, suits, type Wanting } from '../rules/order.ts';

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
export interface GrantableBoard extends Suitable {
	freeAt: number;
}

export type QueuedLease = Wanting & Pick<LeaseRow, 'minutes' | 'queued_until'>;

/**
 * Gives each queued lease, in their order, the board that is free first for it, whose preparation takes this many
 * milliseconds. Returns when its minutes begin, undefined if nobody can know, and when each board is free after all.
 */
export function estimate(
	boards: readonly GrantableBoard[],
	queue: readonly QueuedLease[],
	preparation = 0,
) {
	const free = new Map(boards.map(({ id, freeAt }) => [id, freeAt]));
	const freeAt = ({ id }: GrantableBoard) => free.get(id) ?? Number.POSITIVE_INFINITY;
	const starts = queue.map((lease) => {
		const [first, ...others] = boards.filter((board) => suits(board, lease));
		if (!first) return undefined;
		const board = others.reduce((one, other) => (freeAt(other) < freeAt(one) ? other : one), first);
		/** Otherwise it leaves the queue before. */
		const isInTime = freeAt(board) <= Date.parse(lease.queued_until);
		const start = freeAt(board) + preparation;
		if (isInTime) free.set(board.id, start + lease.minutes * minute);
		return { start, isInTime };
	});
	return { free, starts };
}
