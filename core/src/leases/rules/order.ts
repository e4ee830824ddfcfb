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
 * its boards: a later one finds a board only if none before it loses one, although it may get another instead. The boards
 * in service, by default those that are free, say which groups can be complete, and on which benches.
 */
export function plan<Lease extends Waiting, Board extends Suitable>(
	waiting: readonly Lease[],
	free: readonly Board[],
	inService: readonly Suitable[] = free,
): Plan<Lease, Board> {
	const boards = free.toSorted(byPreference);
	const requests = requestsOf(waiting);
	const place = placing<Lease, Board>(boards);
	const waysOf = possibleWays<Lease>(inService);
	let found = nothing<Lease, Board>();
	for (const leases of requests) {
		if (found.holders.size === boards.length) break;
		const ways = waysOf(leases);
		const [way, ...others] = ways;
		if (way && others.length === 0) place(found, way);
		else found = onBestBench(found, ways, place);
	}
	const places = new Map([...found.holders].map(([board, lease]) => [lease.id, { board, lease }]));
	const granted = requests.flatMap((leases) => {
		const own = leases.flatMap(({ id }) => places.get(id) ?? []);
		return own.length === leases.length ? [own] : [];
	});
	return { granted, found: found.holders.size };
}

/** Finds a free board for each of the leases, or one whose lease finds another. Changes what is found. */
function placing<Lease extends Waiting, Board extends Suitable>(boards: readonly Board[]) {
	const suitable = new Map<string, Board[]>();
	const benches = new Map<string, Map<string | null, Board[]>>();
	/** Those of its bench, if it is placed on one. */
	const candidatesFor = ({ same_tag: tag, wanted_tags }: Waiting) => {
		if (tag === null) return boards;
		const own = benches.get(tag) ?? Map.groupBy(boards, ({ tags }) => tagValue(tags, tag));
		benches.set(tag, own);
		return own.get(tagValue(wanted_tags, tag)) ?? [];
	};
	const suiting = (lease: Waiting) => {
		const requirements = requirementsOf(lease);
		const known =
			suitable.get(requirements) ?? candidatesFor(lease).filter((board) => suits(board, lease));
		suitable.set(requirements, known);
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
			const requirements = requirementsOf(lease);
			// Another lease with the same requirements finds nothing either.
			if (found.unmet.has(requirements) || place(found.holders, lease, new Set())) continue;
			found.unmet.add(requirements);
		}
		return found;
	};
}

function requirementsOf(lease: Wanting) {
	const { board_type, wanted_board_id, wanted_tags, requires_agent } = lease;
	const { most_credits_per_minute: price } = lease;
	return `${board_type} ${wanted_board_id} ${requires_agent} ${price} ${wanted_tags}`;
}

/**
 * Returns how the leases of a request can be placed: as they are or, if all boards need the same value of a tag, on each
 * bench that has boards for all of them. A group for which there are too few boards in service cannot be placed.
 */
function possibleWays<Lease extends Waiting>(boards: readonly Suitable[]) {
	const known = new Map<string, (string | null)[]>();
	const fits = (leases: readonly Lease[], own: readonly Suitable[]) =>
		placing<Lease, Suitable>(own)(nothing(), leases).holders.size === leases.length;
	const valuesFor = (leases: readonly Lease[], tag: string | null) => {
		if (tag === null) return fits(leases, boards) ? [null] : [];
		return [...Map.groupBy(boards, ({ tags }) => tagValue(tags, tag))]
			.filter(([value, own]) => value !== null && fits(onBench(leases, tag, value), own))
			.map(([value]) => value)
			.sort();
	};
	return (leases: readonly Lease[]): (readonly Lease[])[] => {
		const [first] = leases;
		if (first?.group_id === null) return [leases];
		const tag = first?.same_tag ?? null;
		const key = [tag, ...leases.map(requirementsOf)].join('\n');
		const values = known.get(key) ?? valuesFor(leases, tag);
		known.set(key, values);
		return values.map((value) =>
			tag === null || value === null ? leases : onBench(leases, tag, value),
		);
	};
}

/** The leases, each with the value of the tag, unless it wants another one. */
function onBench<Lease extends Waiting>(leases: readonly Lease[], tag: string, value: string) {
	return leases.map((lease): Lease => {
		const own = tagValue(lease.wanted_tags, tag) ?? value;
		const wanted = { ...JSON.parse(lease.wanted_tags), [tag]: own };
		return { ...lease, wanted_tags: JSON.stringify(wanted) };
	});
}

function nothing<Lease, Board>(): Found<Lease, Board> {
	return { holders: new Map(), unmet: new Set() };
}

/** Places a group on the first bench on which it finds all its boards, or else the most. */
function onBestBench<Lease, Board>(
	before: Found<Lease, Board>,
	benches: readonly (readonly Lease[])[],
	place: (found: Found<Lease, Board>, leases: readonly Lease[]) => Found<Lease, Board>,
) {
	let best = before;
	for (const leases of benches) {
		const copy = { holders: new Map(before.holders), unmet: new Set(before.unmet) };
		const found = place(copy, leases);
		if (found.holders.size > best.holders.size) best = found;
		if (best.holders.size === before.holders.size + leases.length) break;
	}
	return best;
}
