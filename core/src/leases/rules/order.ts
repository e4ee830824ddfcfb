// The queue: one order of all requests, and one plan of who gets which board.
import { hasTags, tagValue } from '../../boards/tags.ts';
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

export type Suitable = Pick<
	BoardRow,
	'id' | 'board_type' | 'credits_per_minute' | 'agent_id' | 'tags'
>;

export type Wanting = Pick<
	LeaseRow,
	'board_type' | 'wanted_board_id' | 'wanted_tags' | 'requires_agent' | 'most_credits_per_minute'
>;

/** Whether a board can be granted to a lease. In SQL: queue/boards.ts. */
export function suits(
	{ id, board_type, credits_per_minute, agent_id, tags }: Suitable,
	{ wanted_board_id, wanted_tags, requires_agent, most_credits_per_minute, ...wanted }: Wanting,
) {
	return (
		board_type === wanted.board_type &&
		(wanted_board_id === null || wanted_board_id === id) &&
		credits_per_minute <= most_credits_per_minute &&
		(requires_agent === 0 || agent_id !== null) &&
		hasTags(tags, wanted_tags)
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

export type Waiting = Ranked & Wanting & Pick<LeaseRow, 'group_id' | 'same_tag'>;

/** Requests in their order. The leases of a group are one request. */
export function requestsOf<Lease extends Pick<Waiting, 'id' | 'rank' | 'group_id'>>(
	leases: readonly Lease[],
): Lease[][] {
	const requests = Map.groupBy(leases.toSorted(byRank), ({ id, group_id }) => group_id ?? id);
	const ranked = [...requests].map(([id, leases]) => ({ id, leases, rank: leases[0]?.rank ?? 0 }));
	return ranked.toSorted(byRank).map(({ leases }) => leases);
}

/** Who has found which board, and the requirements for which nothing is left. */
interface Found<Lease, Board> {
	holders: Map<Board, Lease>;
	unmet: Set<string>;
}

export interface Plan<Lease, Board> {
	/** Of each request that has found all its boards: its leases with their boards. */
	granted: { lease: Lease; board: Board }[][];
	/** How many boards are found. Those of incomplete requests wait for the others of their group. */
	found: number;
}

/**
 * Which request gets which of the free boards. Each in its order keeps what it finds, also before it has found all
 * its boards: a later one finds a board only if none before it loses one, although it may get another instead.
 */
export function plan<Lease extends Waiting, Board extends Suitable>(
	waiting: readonly Lease[],
	free: readonly Board[],
): Plan<Lease, Board> {
	const boards = free.toSorted(byPreference);
	const requests = requestsOf(waiting);
	const place = placing<Lease, Board>(boards);
	let found: Found<Lease, Board> = { holders: new Map(), unmet: new Set() };
	for (const leases of requests) {
		if (found.holders.size === boards.length) break;
		const ways = waysOf(leases, boards);
		const [only] = ways;
		if (only && ways.length === 1) place(found, only);
		else
			found = bestOf(
				found,
				ways.map((way) => place(copyOf(found), way)),
			);
	}
	const places = new Map([...found.holders].map(([board, lease]) => [lease.id, { board, lease }]));
	const granted = requests.flatMap((leases) => {
		const own = leases.flatMap(({ id }) => places.get(id) ?? []);
		return own.length === leases.length ? [own] : [];
	});
	return { granted, found: found.holders.size };
}

/** Finds a free board for each of the leases, or one whose lease finds another. */
function placing<Lease extends Waiting, Board extends Suitable>(boards: readonly Board[]) {
	const suitable = new Map<string, Board[]>();
	const suiting = (lease: Waiting) => {
		const wish = requirementsOf(lease);
		const known = suitable.get(wish) ?? boards.filter((board) => suits(board, lease));
		suitable.set(wish, known);
		return known;
	};
	const place = (holders: Map<Board, Lease>, lease: Lease, tried: Set<Board>): boolean => {
		const unused = suiting(lease).find((board) => !holders.has(board));
		if (unused) {
			holders.set(unused, lease);
			return true;
		}
		for (const board of suiting(lease)) {
			if (tried.has(board)) continue;
			tried.add(board);
			const holder = holders.get(board);
			if (!holder || !place(holders, holder, tried)) continue;
			holders.set(board, lease);
			return true;
		}
		return false;
	};
	return (found: Found<Lease, Board>, leases: readonly Lease[]) => {
		for (const lease of leases) {
			const wish = requirementsOf(lease);
			// Another lease with the same requirements finds nothing either.
			if (found.unmet.has(wish) || place(found.holders, lease, new Set())) continue;
			found.unmet.add(wish);
		}
		return found;
	};
}

function requirementsOf(lease: Wanting) {
	const { board_type, wanted_board_id, wanted_tags, requires_agent } = lease;
	const { most_credits_per_minute: price } = lease;
	return `${board_type} ${wanted_board_id} ${requires_agent} ${price} ${wanted_tags}`;
}

/** Boards with the same value of a tag are a bench; a group is placed on the first with the most boards for it. */
function waysOf<Lease extends Waiting>(leases: Lease[], boards: readonly Suitable[]): Lease[][] {
	const tag = leases[0]?.same_tag ?? null;
	if (tag === null) return [leases];
	const values = boards.flatMap((board) => tagValue(board.tags, tag) ?? []);
	const benches = [...new Set(values)]
		.sort()
		.filter((value) =>
			leases.every((lease) => [null, value].includes(tagValue(lease.wanted_tags, tag))),
		);
	return benches.map((value) =>
		leases.map((lease) => {
			const wanted = { ...JSON.parse(lease.wanted_tags), [tag]: value };
			return { ...lease, wanted_tags: JSON.stringify(wanted) };
		}),
	);
}

function copyOf<Lease, Board>({ holders, unmet }: Found<Lease, Board>): Found<Lease, Board> {
	return { holders: new Map(holders), unmet: new Set(unmet) };
}

function bestOf<Lease, Board>(before: Found<Lease, Board>, found: readonly Found<Lease, Board>[]) {
	const most = Math.max(...found.map(({ holders }) => holders.size));
	return found.find(({ holders }) => holders.size === most) ?? before;
}
