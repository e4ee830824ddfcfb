// The plan of a queue: who gets which board, for generated queues and boards.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byRank, plan, rankOf, suits } from '../../../src/leases/rules/order.ts';

const ids = ['b1', 'b2', 'b3', 'b4'] as const;

const board = (id: string) =>
	fc.record({
		id: fc.constant(id),
		board_type: fc.constant('uno'),
		credits_per_minute: fc.nat(2),
		agent_id: fc.constantFrom('agt_1', null),
	});

const lease = fc.record({
	id: fc.nat(99).map((number) => `lse_${number}`),
	rank: fc.nat(5),
	board_type: fc.constant('uno'),
	wanted_board_id: fc.option(fc.constantFrom(...ids), { freq: 2 }),
	requires_agent: fc.constantFrom(0, 1),
	most_credits_per_minute: fc.nat(2),
});

const queue = fc.uniqueArray(lease, { maxLength: 6, selector: ({ id }) => id });
const boards = fc.subarray([...ids]).chain((some) => fc.tuple(...some.map(board)));

type Lease = typeof lease extends fc.Arbitrary<infer Value> ? Value : never;
type Board = ReturnType<typeof board> extends fc.Arbitrary<infer Value> ? Value : never;

/** Whether all of these leases can have a board at the same time, by trying everything. */
function fits([first, ...rest]: readonly Lease[], free: readonly Board[]): boolean {
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

test('each lease in its order has a board if those before it can keep theirs', () => {
	fc.assert(
		fc.property(queue, boards, (waiting, free) => {
			const planned = plan(waiting, free);
			const expected: Lease[] = [];
			for (const one of waiting.toSorted(byRank)) {
				if (fits([...expected, one], free)) expected.push(one);
			}
			expect(new Set(planned.keys())).toEqual(new Set(expected));
			expect(new Set(planned.values()).size).toBe(planned.size);
			for (const [one, given] of planned) expect(suits(given, one)).toBe(true);
		}),
		{ numRuns: 5_000 },
	);
});

test('the same queue has the same plan in whatever order it was read', () => {
	fc.assert(
		fc.property(queue, boards, (waiting, free) => {
			const pairs = (planned: ReturnType<typeof plan<Lease, Board>>) =>
				[...planned].map(([{ id }, given]) => [id, given.id]).sort();
			expect(pairs(plan(waiting.toReversed(), free.toReversed()))).toEqual(
				pairs(plan(waiting, free)),
			);
		}),
		{ numRuns: 1_000 },
	);
});

test('a lone lease gets the cheapest board that suits, with an agent rather than without', () => {
	const wanting = {
		id: 'lse_1',
		rank: 0,
		board_type: 'uno',
		wanted_board_id: null,
		requires_agent: 0,
		most_credits_per_minute: 2,
	};
	const free = [
		{ id: 'b1', board_type: 'uno', credits_per_minute: 2, agent_id: 'agt_1' },
		{ id: 'b2', board_type: 'uno', credits_per_minute: 1, agent_id: null },
		{ id: 'b3', board_type: 'uno', credits_per_minute: 1, agent_id: 'agt_1' },
		{ id: 'b4', board_type: 'uno', credits_per_minute: 3, agent_id: 'agt_1' },
	];
	expect(plan([wanting], free).get(wanting)?.id).toBe('b3');
});

test('an account that holds a board is behind one that asks within ten minutes of it', () => {
	const first = rankOf(0, 1);
	expect(rankOf(9 * 60_000, 0)).toBeLessThan(first);
	expect(rankOf(11 * 60_000, 0)).toBeGreaterThan(first);
});

test('a long queue that nothing suits costs little more than reading it', () => {
	const wanting = Array.from({ length: 10_000 }, (_, index) => ({
		id: `lse_${index}`,
		rank: index,
		board_type: 'uno',
		wanted_board_id: null,
		requires_agent: 1,
		most_credits_per_minute: index % 3,
	}));
	const free = Array.from({ length: 500 }, (_, index) => ({
		id: `b${index}`,
		board_type: 'uno',
		credits_per_minute: 0,
		agent_id: null,
	}));
	let compared = 0;
	const counted = free.map((one) => ({
		...one,
		get agent_id() {
			compared += 1;
			return null;
		},
	}));
	expect(plan(wanting, counted).size).toBe(0);
	// Sorting the boards, and one look at all of them for each of the three wishes.
	expect(compared).toBeLessThan(20 * free.length * 3);
});
