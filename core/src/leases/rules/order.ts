// The queue: one order of all requests, and one plan of who gets which board.
import type { BoardRow, LeaseRow } from '../../database/schema.ts';

/** Each board that the account has or waits for moves a request back by this much, in milliseconds. */
const handicap = 10 * 60_000;

/** The place of a request in the order, fixed when it is made: the lowest rank is first, then the lowest identifier. */
export function rankOf(time: number, liveLeases: number) {
	return time + handicap * liveLeases;
}

export type Ranked = Pick<LeaseRow, 'id' | 'rank'>;

/** The database sorts and compares in the same way: queue/plan.ts. */
export function byRank(one: Ranked, other: Ranked) {
	return one.rank - other.rank || (one.id < other.id ? -1 : 1);
}

export type Suitable = Pick<BoardRow, 'id' | 'board_type' | 'credits_per_minute' | 'agent_id'>;

export type Wanting = Pick<
	LeaseRow,
	'board_type' | 'wanted_board_id' | 'requires_agent' | 'most_credits_per_minute'
>;

/** Whether a board can be granted to a lease. In SQL: queue/boards.ts. */
export function suits(
	{ id, board_type, credits_per_minute, agent_id }: Suitable,
	{ wanted_board_id, requires_agent, most_credits_per_minute, ...wanted }: Wanting,
) {
	return (
		board_type === wanted.board_type &&
		(wanted_board_id === null || wanted_board_id === id) &&
		credits_per_minute <= most_credits_per_minute &&
		(requires_agent === 0 || agent_id !== null)
	);
}

/** The cheapest board first, then one with an agent. */
export function byPreference(one: Suitable, other: Suitable) {
	return (
		one.credits_per_minute - other.credits_per_minute ||
		Number(one.agent_id === null) - Number(other.agent_id === null) ||
		(one.id < other.id ? -1 : 1)
	);
}

/**
 * Which waiting lease gets which of the free boards of its type. Each lease in its order gets a board if that takes
 * none away from those before it; one of them may get another board instead.
 */
export function plan<Lease extends Ranked & Wanting, Board extends Suitable>(
	waiting: readonly Lease[],
	free: readonly Board[],
): Map<Lease, Board> {
	const boards = free.toSorted(byPreference);
	const holders = new Map<Board, Lease>();
	/** Finds a board for a lease: a free one, or one whose lease finds another. */
	const place = (lease: Lease, tried: Set<Board>): boolean => {
		const unused = boards.find((board) => !holders.has(board) && suits(board, lease));
		if (unused) {
			holders.set(unused, lease);
			return true;
		}
		for (const board of boards) {
			if (tried.has(board) || !suits(board, lease)) continue;
			tried.add(board);
			const holder = holders.get(board);
			if (!holder || !place(holder, tried)) continue;
			holders.set(board, lease);
			return true;
		}
		return false;
	};
	// Another lease with the same requirements finds nothing either.
	const unmet = new Set<string>();
	for (const lease of waiting.toSorted(byRank)) {
		if (holders.size === boards.length) break;
		const requirements = requirementsOf(lease);
		if (!unmet.has(requirements) && !place(lease, new Set())) unmet.add(requirements);
	}
	return new Map([...holders].map(([board, lease]) => [lease, board]));
}

function requirementsOf({ wanted_board_id, requires_agent, most_credits_per_minute }: Wanting) {
	return `${wanted_board_id} ${requires_agent} ${most_credits_per_minute}`;
}
