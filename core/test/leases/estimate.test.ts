// When boards probably become free, and when queued leases probably start.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	estimate,
	type GrantableBoard,
	probableEnd,
	type QueuedLease,
} from '../../src/leases/queue/estimate.ts';

const now = Date.parse('2026-11-25T14:00:00Z');
const minute = 60_000;
const expires_at = '2026-11-25T14:10:00.000Z';
const never = '2026-12-24T00:00:00.000Z';

/** A board that is free in some minutes. */
function board(id: string, inMinutes: number, more: Partial<GrantableBoard> = {}): GrantableBoard {
	const freeAt = now + inMinutes * minute;
	const any = { board_type: 'uno', credits_per_minute: 0, agent_id: null, tags: '{}' };
	return { ...any, id, freeAt, ...more };
}

function waiting(minutes: number, more: Partial<QueuedLease> = {}): QueuedLease {
	const any = { board_type: 'uno', wanted_board_id: null, wanted_tags: '{}', requires_agent: 0 };
	return { ...any, most_credits_per_minute: 0, minutes, queued_until: never, ...more };
}

/** The minutes until each start. */
function startsOf(
	boards: readonly GrantableBoard[],
	queue: readonly QueuedLease[],
	preparation = 0,
) {
	return estimate(boards, queue, preparation).starts.map(
		(place) => place && (place.start - now) / minute,
	);
}

test('a running lease ends when it expires, and never in the past', () => {
	const lease = { status: 'active', minutes: 30, expires_at } as const;
	expect(probableEnd(lease, now)).toBe(Date.parse(expires_at));
	expect(probableEnd(lease, now + 60 * minute)).toBe(now + 60 * minute);
});

test('the minutes of a lease begin when its board is prepared, whatever its heartbeat says', () => {
	const lease = { status: 'preparing', minutes: 30, expires_at } as const;
	expect(probableEnd(lease, now)).toBe(now + 30 * minute);
});

test('a board is free after all that are queued had the first board for them', () => {
	const boards = [board('one', 0), board('two', 5)];
	const freeIn = (queue: QueuedLease[]) =>
		[...estimate(boards, queue).free.values()].map((time) => (time - now) / minute);
	expect(freeIn([])).toEqual([0, 5]);
	expect(freeIn([waiting(10)])).toEqual([10, 5]);
	expect(freeIn([waiting(10), waiting(20)])).toEqual([10, 25]);
	expect(freeIn([waiting(60, { wanted_board_id: 'two' }), waiting(10)])).toEqual([10, 65]);
});

test('a lease that wants a board which is not granted holds up no other, and has no start', () => {
	const boards = [board('one', 0)];
	const queue = [waiting(9, { wanted_board_id: 'gone' }), waiting(9)];
	expect(estimate(boards, queue.slice(0, 1)).free).toEqual(new Map([['one', now]]));
	expect(startsOf(boards, queue)).toEqual([undefined, 0]);
});

test('a lease waits for a board at its price, and with an agent if it needs one', () => {
	const paid = board('paid', 3, { credits_per_minute: 2, agent_id: 'agt_1' });
	const boards = [board('plain', 1), paid, board('driven', 7, { agent_id: 'agt_1' })];
	const start = (more: Partial<QueuedLease>) => startsOf(boards, [waiting(5, more)]);
	expect(start({})).toEqual([1]);
	expect(start({ requires_agent: 1 })).toEqual([7]);
	expect(start({ requires_agent: 1, most_credits_per_minute: 2 })).toEqual([3]);
});

test('each lease has a preparation before its minutes', () => {
	expect(startsOf([board('one', 10)], [waiting(20), waiting(5)], minute)).toEqual([11, 32]);
});

test('a lease that leaves the queue before its board is free does not delay the next one', () => {
	const queue = [waiting(30, { queued_until: '2026-11-25T14:09:00.000Z' }), waiting(5)];
	const places = estimate([board('one', 10)], queue).starts;
	expect(places.map((place) => place?.isInTime)).toEqual([false, true]);
	expect(places[1]?.start).toBe(now + 10 * minute);
});

const ids = ['one', 'two', 'three'];
const boardsOf = fc.uniqueArray(
	fc.record({
		id: fc.constantFrom(...ids),
		inMinutes: fc.nat(90),
		credits_per_minute: fc.nat(1),
		agent_id: fc.constantFrom(null, 'agt_1'),
	}),
	{ minLength: 1, selector: ({ id }) => id },
);
const queueOf = fc.array(
	fc.record({
		minutes: fc.integer({ min: 1, max: 90 }),
		wanted_board_id: fc.constantFrom(null, ...ids),
		requires_agent: fc.nat(1),
		most_credits_per_minute: fc.nat(1),
		untilMinutes: fc.nat(300),
	}),
	{ maxLength: 12 },
);

test('for any queue, no start is in the past, and a free board is granted now', () => {
	fc.assert(
		fc.property(boardsOf, queueOf, (made, asked) => {
			const boards = made.map(({ inMinutes, ...more }) => board(more.id, inMinutes, more));
			const queue = asked.map(({ untilMinutes, ...lease }) => ({
				...lease,
				board_type: 'uno',
				wanted_tags: '{}',
				queued_until: new Date(now + untilMinutes * minute).toISOString(),
			}));
			const places = estimate(boards, queue).starts;
			expect(places).toHaveLength(queue.length);
			for (const place of places) if (place) expect(place.start).toBeGreaterThanOrEqual(now);
			const suits = (lease: QueuedLease) =>
				boards.filter((one) => estimate([one], [lease]).free.get(one.id) !== one.freeAt);
			const boardsFor = queue.map((lease) => suits({ ...lease, queued_until: never }));
			const [first] = boardsFor;
			if (first?.some(({ freeAt }) => freeAt === now)) expect(places[0]?.start).toBe(now);
			for (const [earlier, some] of boardsFor.entries()) {
				for (const [later, others] of boardsFor.entries()) {
					if (later <= earlier || !others.every((one) => some.includes(one))) continue;
					const start = (index: number) => places[index]?.start ?? Number.POSITIVE_INFINITY;
					expect(start(later)).toBeGreaterThanOrEqual(others.length > 0 ? start(earlier) : now);
				}
			}
		}),
	);
});
