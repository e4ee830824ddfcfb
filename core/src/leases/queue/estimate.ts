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
	/** How many minutes the lease that has it was asked for; 0 if the board is free. */
	minutes: number;
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

/** When boards are free for a new lease, after all that are queued, in their order, had the first one that suits. */
export function freeAfterQueue(boards: readonly GrantableBoard[], queue: readonly QueuedLease[]) {
	return planQueue(boards, queue, { preparation: 0, share: 1 }).free;
}

/** The share of the minutes asked for that leases use, from the shortest to the longest of the usual. */
interface UsualShares {
	low: number;
	high: number;
}

interface Circumstances {
	now: number;
	/** How many milliseconds a preparation takes. */
	preparation: number;
	/** Without them, no range is known. */
	shares?: UsualShares | undefined;
}

/** Which board each queued lease probably gets, and when and in which range its minutes begin. */
export function estimateStarts(
	boards: readonly GrantableBoard[],
	queue: readonly QueuedLease[],
	{ now, preparation, shares = { low: 1, high: 1 } }: Circumstances,
) {
	const planWith = (share: number) => {
		const released = boards.map((board) => {
			const change = board.minutes * minute * (share - 1);
			return { ...board, freeAt: Math.max(now, board.freeAt + change) };
		});
		return planQueue(released, queue, { preparation, share }).places;
	};
	const [expected, ...others] = [planWith(1), planWith(shares.low), planWith(shares.high)];
	return expected.map((place, index) => {
		// A board that is wanted by name can be free earlier although everything lasts longer.
		const starts = [place, ...others.map((places) => places[index])].map((one) => one?.start ?? 0);
		return place && { ...place, from: Math.min(...starts), to: Math.max(...starts) };
	});
}

/** Gives each queued lease, in their order, the board that is free first for it. */
function planQueue(
	boards: readonly GrantableBoard[],
	queue: readonly QueuedLease[],
	{ preparation, share }: { preparation: number; share: number },
) {
	const free = new Map(boards.map(({ id, freeAt }) => [id, freeAt]));
	const places = queue.map((lease) => {
		const id = firstFor(lease, boards, free);
		const freeAt = id === undefined ? undefined : free.get(id);
		if (id === undefined || freeAt === undefined) return undefined;
		// Otherwise it leaves the queue before.
		const isInTime = freeAt <= Date.parse(lease.queued_until);
		const start = freeAt + preparation;
		if (isInTime) free.set(id, start + lease.minutes * minute * share);
		return { boardId: id, start, isInTime };
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

/** With fewer past leases, nobody can say what is usual. */
const fewest = 10;

type PastLease = Pick<LeaseRow, 'minutes' | 'charged_from' | 'ended_at'>;

/** The shares of their minutes between which nine of ten leases ended. */
export function usualShares(past: readonly PastLease[]): UsualShares | undefined {
	const shares = past
		.map(({ minutes, charged_from, ended_at }) => {
			const used = Date.parse(ended_at ?? '') - Date.parse(charged_from ?? '');
			return Math.max(0, used) / (minutes * minute);
		})
		.toSorted((one, other) => one - other);
	const beyond = Math.floor(shares.length * 0.05);
	const [low, high] = [shares[beyond], shares.at(-1 - beyond)];
	if (shares.length < fewest || low === undefined || high === undefined) return undefined;
	return { low, high };
}
