// The plan of a queue: who gets which boards, for generated queues and boards.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import {
	plan,
	rankOf,
	requestsOf,
	type Suitable,
	suits,
	type Waiting,
} from '../../../src/leases/rules/order.ts';

const ids = ['b1', 'b2', 'b3', 'b4'] as const;
const types = ['uno', 'pico'] as const;

const board = (id: string): fc.Arbitrary<Suitable> =>
	fc.record({
		id: fc.constant(id),
		board_type: fc.constantFrom(...types),
		credits_per_minute: fc.nat(2),
		agent_id: fc.constantFrom('agt_1', null),
		tags: fc.constantFrom('{}', '{"bench":"x"}', '{"bench":"y"}', '{"bench":"y","radio":"lora"}'),
	});

const wanting = {
	board_type: fc.constantFrom(...types),
	wanted_board_id: fc.option(fc.constantFrom(...ids), { freq: 3 }),
	wanted_tags: fc.constantFrom('{}', '{}', '{"bench":"y"}', '{"radio":null}'),
	requires_agent: fc.constantFrom(0, 1),
	most_credits_per_minute: fc.nat(2),
};

/** A request for one board, or for several as a group. */
const request = fc
	.record({
		rank: fc.nat(5),
		isGroup: fc.boolean(),
		same_tag: fc.constantFrom(null, null, 'bench'),
		roles: fc.array(fc.record(wanting), { minLength: 1, maxLength: 3 }),
	})
	.map(({ rank, isGroup, same_tag, roles }) => ({ rank, same_tag, roles, isGroup }));

const queue = fc.array(request, { maxLength: 5 }).map((requests) =>
	requests.flatMap(({ rank, same_tag, roles, isGroup }, index): Waiting[] => {
		const shared = isGroup
			? { group_id: `grp_${index}`, same_tag }
			: { group_id: null, same_tag: null };
		const asked = isGroup ? roles : roles.slice(0, 1);
		return asked.map((role, place) => ({ ...shared, ...role, rank, id: `lse_${index}_${place}` }));
	}),
);
/** All boards in service, and those of them that are free. */
const boards = fc
	.tuple(fc.tuple(...ids.map(board)), fc.subarray([...ids]))
	.map(([all, free]) => ({ all, free: all.filter(({ id }) => free.some((one) => one === id)) }));

/** Whether all of these can have a board at the same time, by trying everything. */
function fits([first, ...rest]: readonly Waiting[], free: readonly Suitable[]): boolean {
	if (!first) return true;
	return free.some(
		(one) =>
			suits(one, first) &&
			fits(
				rest,
				free.filter((other) => other !== one),
			),
	);
}

/** The leases of a request, on each bench if they want one. A group for which there are too few boards has no way. */
function waysOf(leases: Waiting[], all: readonly Suitable[]) {
	const isSingle = leases.length === 1 && leases[0]?.group_id === null;
	if (!leases[0]?.same_tag) return isSingle || fits(leases, all) ? [leases] : [];
	return ['x', 'y'].flatMap((bench) => {
		const own = all.filter(({ tags }) => JSON.parse(tags).bench === bench);
		if (!fits(leases, own)) return [];
		return [
			leases.map((lease) => ({
				...lease,
				wanted_tags: JSON.stringify({ ...JSON.parse(lease.wanted_tags), bench }),
			})),
		];
	});
}

type Lab = Record<'free' | 'all', Suitable[]>;

/** By the definition: each request in its order keeps what it can have beside what those before it have. */
function expectedOf(waiting: readonly Waiting[], { free, all }: Lab) {
	let kept: Waiting[] = [];
	const granted: string[] = [];
	for (const leases of requestsOf(waiting)) {
		const tried = waysOf(leases, all).map((way) =>
			way.reduce((all, one) => (fits(all.concat(one), free) ? all.concat(one) : all), kept),
		);
		const before = kept.length;
		for (const all of tried) if (all.length > kept.length) kept = all;
		if (kept.length === before + leases.length) granted.push(...leases.map(({ id }) => id));
	}
	return { granted: granted.sort(), found: kept.length };
}

test('each request in its order has what it can have while those before it keep theirs, all or nothing', () => {
	fc.assert(
		fc.property(queue, boards, (waiting, lab) => {
			const { granted, found } = plan(waiting, lab.free, lab.all);
			const pairs = granted.flat();
			const named = pairs.map(({ lease }) => lease.id).sort();
			expect({ granted: named, found }).toEqual(expectedOf(waiting, lab));
			expect(new Set(pairs.map(({ board }) => board)).size).toBe(pairs.length);
			for (const { lease, board } of pairs) expect(suits(board, lease)).toBe(true);
			for (const request of granted) {
				const tag = request[0]?.lease.same_tag;
				const values = request.map(({ board }) => tag && JSON.parse(board.tags)[tag]);
				if (tag) expect(new Set(values).size).toBe(1);
			}
		}),
		{ numRuns: runs(3_000) },
	);
});

test('a later request changes nothing for those before it', () => {
	fc.assert(
		fc.property(queue, boards, (waiting, { free, all }) => {
			const names = (leases: readonly Waiting[]) =>
				plan(leases, free, all).granted.flatMap((pairs) => pairs.map(({ lease }) => lease.id));
			const requests = requestsOf(waiting);
			for (const count of requests.keys()) {
				const first = names(requests.slice(0, count).flat());
				expect(names(requests.slice(0, count + 1).flat())).toEqual(expect.arrayContaining(first));
			}
		}),
		{ numRuns: runs(1_000) },
	);
});

test('the same queue has the same plan in whatever order it was read', () => {
	fc.assert(
		fc.property(queue, boards, (waiting, { free, all }) => {
			const pairs = (planned: ReturnType<typeof plan>) =>
				planned.granted
					.flatMap((all) => all.map(({ lease, board }) => [lease.id, board.id]))
					.sort();
			expect(pairs(plan(waiting.toReversed(), free.toReversed(), all.toReversed()))).toEqual(
				pairs(plan(waiting, free, all)),
			);
		}),
		{ numRuns: 1_000 },
	);
});

const any = {
	id: 'lse_1',
	group_id: null,
	same_tag: null,
	rank: 0,
	board_type: 'uno',
	wanted_board_id: null,
	wanted_tags: '{}',
	requires_agent: 0,
	most_credits_per_minute: 2,
};

test('a lone lease gets the cheapest board that suits, with an agent rather than without', () => {
	const uno = { board_type: 'uno', tags: '{}' };
	const free = [
		{ ...uno, id: 'b1', credits_per_minute: 2, agent_id: 'agt_1' },
		{ ...uno, id: 'b2', credits_per_minute: 1, agent_id: null },
		{ ...uno, id: 'b3', credits_per_minute: 1, agent_id: 'agt_1' },
		{ ...uno, id: 'b4', credits_per_minute: 3, agent_id: 'agt_1' },
	];
	expect(plan([any], free).granted[0]?.[0]?.board.id).toBe('b3');
});

/**
 * Lives of a queue: requests arrive, what the plan grants is held for at most `longest` turns, and boards come back.
 * Each request is suited by enough boards in service.
 */
const arrivals = fc.array(
	fc.record({
		turn: fc.nat(12),
		isOnBench: fc.boolean(),
		roles: fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
		holds: fc.integer({ min: 1, max: 3 }),
	}),
	{ minLength: 1, maxLength: 9 },
);

test('no request waits for ever: the k-th has its boards within k times the longest lease', () => {
	const longest = 3;
	// The benches differ, and the first in their order has boards of one type only.
	const benches = {
		w: ['uno', 'uno', 'uno'],
		x: [...types, 'uno'],
		y: [...types, ...types, 'uno'],
	};
	const lab = Object.entries(benches).flatMap(([bench, own]) =>
		own.map((board_type, index) => ({
			...{ id: `${bench}${index}`, board_type, credits_per_minute: 0, agent_id: null },
			tags: JSON.stringify({ bench }),
		})),
	);
	fc.assert(
		fc.property(arrivals, (given) => {
			const leasesFor = (one: (typeof given)[number], index: number): Waiting[] =>
				one.roles.map((board_type, place) => ({
					...{ ...any, board_type, group_id: `grp_${index}`, id: `lse_${index}_${place}` },
					...{ rank: one.turn, same_tag: one.isOnBench ? 'bench' : null },
				}));
			const asked = given
				.filter((one) => plan(leasesFor(one, 0), lab).granted.length > 0)
				.toSorted((one, other) => one.turn - other.turn);
			const heldUntil = new Map<string, number>();
			const granted = new Map<number, number>();
			const leasesOf = (index: number) =>
				asked.slice(index, index + 1).flatMap((one) => leasesFor(one, index));
			for (let turn = 0; turn <= 12 + longest * (asked.length + 1); turn += 1) {
				const free = lab.filter(({ id }) => (heldUntil.get(id) ?? 0) <= turn);
				const waiting = [...asked.keys()].filter(
					(index) => (asked[index]?.turn ?? 0) <= turn && !granted.has(index),
				);
				for (const request of plan(waiting.flatMap(leasesOf), free, lab).granted) {
					const index = Number(request[0]?.lease.id.split('_')[1]);
					granted.set(index, turn);
					for (const { board } of request)
						heldUntil.set(board.id, turn + (asked[index]?.holds ?? 0));
				}
			}
			for (const [index, { turn }] of asked.entries()) {
				// Those before it, in the order, may each take the longest time.
				const before = asked.filter((other, at) => other.turn < turn || at <= index).length;
				expect(granted.get(index)).toBeLessThanOrEqual(turn + longest * before);
			}
		}),
		{ numRuns: runs(1_000) },
	);
});

test('an account that holds a board is behind one that asks within ten minutes of it', () => {
	const first = rankOf(0, 1);
	expect(rankOf(9 * 60_000, 0)).toBeLessThan(first);
	expect(rankOf(11 * 60_000, 0)).toBeGreaterThan(first);
});

test('a long queue that nothing suits costs little more than reading it', () => {
	const wanting = Array.from({ length: 10_000 }, (_, index) => ({
		...any,
		id: `lse_${index}`,
		rank: index,
		requires_agent: 1,
		most_credits_per_minute: index % 3,
	}));
	const free = Array.from({ length: 500 }, (_, index) => ({
		id: `b${index}`,
		board_type: 'uno',
		credits_per_minute: 0,
		agent_id: null,
		tags: '{}',
	}));
	let compared = 0;
	const counted = free.map((one) => ({
		...one,
		get agent_id() {
			compared += 1;
			return null;
		},
	}));
	expect(plan(wanting, counted).granted).toEqual([]);
	// Sorting the boards, and one look at all of them for each of the three wishes.
	expect(compared).toBeLessThan(20 * free.length * 3);
});
