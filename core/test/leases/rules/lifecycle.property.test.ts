// The rules of leases for generated lives of an account, without a database: what holds after every step.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/errors.ts';
import { end, expire, lose, release } from '../../../src/leases/rules/ending.ts';
import { grant } from '../../../src/leases/rules/grant.ts';
import { begin, renew } from '../../../src/leases/rules/minutes.ts';
import { expirePreparation, report } from '../../../src/leases/rules/preparation.ts';
import {
	type AccountState,
	groupOf,
	heldBy,
	leaseIn,
	liveLeases,
	openSteps,
	spendableIn,
} from '../../../src/leases/rules/state.ts';
import { asking, board, initial, later, limits, request } from '../../support/account-state.ts';

const minute = 60_000;

const which = fc.nat(9);
const step = fc.oneof(
	fc.record({
		name: fc.constant('request' as const),
		count: fc.constantFrom(1, 1, 2, 3),
		minutes: fc.constantFrom(1, 5, 30),
		keyed: fc.boolean(),
		heartbeat: fc.boolean(),
		wait: fc.constantFrom(0, 30, 3_600),
	}),
	fc.record({ name: fc.constant('grant' as const), which, board: fc.nat(2) }),
	fc.record({
		name: fc.constant('report' as const),
		which,
		status: fc.constantFrom('running' as const, 'done' as const, 'failed' as const),
		cause: fc.constantFrom('board' as const, 'agent' as const, undefined),
		hasOthers: fc.boolean(),
	}),
	fc.record({
		name: fc.constant('renew' as const),
		which,
		minutes: fc.constantFrom(1, 10, 120),
		fromEnd: fc.boolean(),
	}),
	fc.record({
		name: fc.constantFrom('begin' as const, 'release' as const, 'expire' as const, 'lose' as const),
		which,
		hasOthers: fc.boolean(),
	}),
	fc.record({
		name: fc.constant('pass' as const),
		seconds: fc.constantFrom(1, 59, 61, 400, 1_000),
	}),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Carries out what the service would: a lease that cannot be asked for is not, and only a free board is granted. */
function perform(state: AccountState, one: Step, number: number): AccountState {
	if (one.name === 'pass') return later(state, one.seconds);
	if (one.name === 'request') {
		const { count } = one;
		const rate = Math.floor(spendableIn(state) / (one.minutes * count));
		if (rate < 0 || liveLeases(state).length + count > limits.leasesPerAccount) return state;
		const wanted = asking({
			group_id: count > 1 ? `grp_${number}` : null,
			keyId: one.keyed ? 'key_1' : null,
			maxCreditsPerMinute: Math.min(rate, 2),
			minutes: one.minutes,
			wait_seconds: one.wait,
			heartbeat: one.heartbeat,
		});
		const ids = Array.from({ length: count }, (_, place) => `lse_${number}_${place}`);
		return request(state, ...ids.map((id) => ({ ...wanted, id })));
	}
	const lease = state.leases[one.which % Math.max(1, state.leases.length)];
	if (!lease) return state;
	const { id } = lease;
	switch (one.name) {
		case 'grant': {
			const free = state.boards.filter(
				({ status, credits_per_minute }) =>
					status === 'available' && credits_per_minute <= lease.most_credits_per_minute,
			);
			const first = one.board % Math.max(1, free.length);
			const boards = [...free.slice(first), ...free.slice(0, first)];
			const grants = groupOf(state, id).flatMap((member, place) => {
				const board = boards[place];
				return board ? [{ leaseId: member.id, board, images: [] }] : [];
			});
			return grants.length === groupOf(state, id).length ? grant(state, grants, limits) : state;
		}
		case 'report': {
			const [open] = openSteps(state, id);
			if (!open) return state;
			const sent = { actionId: open.id, status: one.status, message: '', cause: one.cause };
			return report(state, lease, sent as Parameters<typeof report>[2], {
				hasOthers: one.hasOthers,
				rest: 30_000,
			});
		}
		case 'renew':
			try {
				return renew(state, id, { ...one, hasListened: true, limits });
			} catch (error) {
				expect(error).toBeInstanceOf(ApiError);
				return state;
			}
		case 'begin':
			return begin(state, id);
		case 'release':
			return release(state, id);
		case 'expire': {
			const after = expire(state, id, { hasListened: true, limits });
			return expirePreparation(after, id, { hasOthers: one.hasOthers, limits });
		}
		case 'lose': {
			const loss = { boardId: lease.board_id ?? '', fence: lease.fence ?? 0, message: 'Lost.' };
			return lose(state, id, { ...loss, lastContact: new Date(state.time - 5_000).toISOString() });
		}
	}
}

/** What the leases of a group have in common. */
const shared = [
	...(['status', 'rank', 'minutes', 'expires_at', 'queued_until', 'wait_extensions'] as const),
	...(['granted_at', 'started_at', 'charged_from', 'preparation_expires_at'] as const),
	...(['ended_at', 'end_reason', 'end_message'] as const),
];

function check(before: AccountState, after: AccountState) {
	const { account, leases, boards, entries } = after;
	// Credits: the ledger is the balance, what is held can be paid, and is what the leases hold.
	const booked = entries.reduce((sum, { amount }) => sum + amount, 0);
	expect(account.balance).toBe(initial.account.balance + booked);
	expect(spendableIn(after)).toBeGreaterThanOrEqual(0);
	const held = leases.reduce((sum, lease) => sum + heldBy(lease), 0);
	expect(account.held_credits).toBe(held);
	// Boards: each has at most one live lease, which has it.
	for (const one of boards) {
		const holders = leases.filter(
			({ board_id, status }) => board_id === one.id && /preparing|active/.test(status),
		);
		expect(holders.map(({ id }) => id)).toEqual(one.lease_id === null ? [] : [one.lease_id]);
		for (const { fence } of holders) expect(fence).toBe(one.fence);
		if (one.lease_id !== null) expect(one.status).toMatch(/in_use|maintenance/);
	}
	for (const lease of leases) {
		// The leases of a group are one in everything that is not about their boards.
		const alike = groupOf(after, lease.id).map((one) => shared.map((column) => one[column]));
		expect(new Set(alike.map((values) => JSON.stringify(values))).size).toBe(1);
		const old = leaseIn(before, lease.id);
		if (!old) continue;
		// A place in the order is fixed, an end is final, and no renewal shortens a lease.
		expect(lease.rank).toBe(old.rank);
		if (old.status === 'ended') expect(lease).toEqual(old);
		expect(lease.wait_extensions).toBeLessThanOrEqual(2);
		expect(lease.fence ?? 0).toBeGreaterThanOrEqual(old.fence ?? 0);
		// Nobody pays for the time before the board was ready, nor for more than they used or were promised.
		if (lease.charged_from !== null) {
			expect(lease.charged_from >= (lease.started_at ?? '')).toBe(true);
			expect((lease.started_at ?? '') >= (lease.granted_at ?? '')).toBe(true);
			// However it is begun and renewed, it lasts as long as was asked for.
			const lasts = Date.parse(lease.expires_at ?? '') - Date.parse(lease.charged_from);
			expect(lasts).toBeGreaterThanOrEqual(lease.minutes * minute);
			expect(lasts).toBeLessThanOrEqual(limits.leaseMaxMinutes * minute);
		}
		if (lease.status !== 'ended') continue;
		const until = [lease.ended_at ?? '', lease.expires_at ?? ''].sort()[0] ?? '';
		const used = Date.parse(until) - Date.parse(lease.charged_from ?? '');
		const most = Number.isNaN(used) ? 0 : Math.ceil(Math.max(0, used) / minute);
		const cost = lease.credits_per_minute * most;
		// A lease that lost its agent is paid for until the last contact, and any other in full.
		if (lease.end_reason === 'agent_lost') expect(lease.credits).toBeLessThanOrEqual(cost);
		else expect(lease.credits).toBe(cost);
		expect(lease.credits).toBeLessThanOrEqual(heldBy({ ...lease, status: 'active' }));
	}
}

test('every life of an account keeps its promises', () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			let state = initial;
			for (const [number, one] of steps.entries()) {
				const after = perform(state, one, number);
				check(state, after);
				state = after;
			}
		}),
		{ numRuns: 3_000 },
	);
});

test('a lease ends with its third failed step, and no patience is without an end', () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom('fails', 'is late', 'is lost'), { minLength: 8, maxLength: 8 }),
			(ways) => {
				let state = request(initial, asking({ wait_seconds: 1 }));
				for (const way of ways) {
					const free = { ...board(1), fence: state.boards[1]?.fence ?? 0 };
					state = {
						...state,
						boards: state.boards.map((one) => (one.id === free.id ? free : one)),
					};
					state = grant(state, [{ leaseId: 'lse_1', board: free, images: [] }], limits);
					const lease = leaseIn(state, 'lse_1');
					if (lease?.status !== 'preparing') break;
					if (way === 'is lost') {
						const loss = { boardId: free.id, fence: lease.fence ?? 0, message: '' };
						state = lose(state, lease.id, { ...loss, lastContact: null });
					} else if (way === 'is late') {
						state = later(state, 901);
						state = expirePreparation(state, lease.id, { hasOthers: true, limits });
					} else {
						const [open] = openSteps(state, lease.id);
						const sent = { actionId: open?.id ?? '', status: 'failed', message: '' } as const;
						state = report(state, lease, sent, { hasOthers: true, rest: 0 });
					}
					state = expire({ ...state, time: state.time + 1 }, lease.id, {
						hasListened: true,
						limits,
					});
				}
				const after = leaseIn(state, 'lse_1');
				const failed = state.actions.filter(
					({ status, message }) => status === 'failed' && message !== 'The lease has ended.',
				).length;
				expect(failed).toBeLessThanOrEqual(3);
				if (failed === 3) expect(after).toMatchObject({ end_reason: 'prepare_failed', credits: 0 });
				expect(after?.wait_extensions).toBeLessThanOrEqual(2);
			},
		),
		{ numRuns: 500 },
	);
});

test('a rule that has nothing to change returns the same state', () => {
	expect(begin(initial, 'lse_1')).toBe(initial);
	expect(end(initial, 'lse_1', { reason: 'admin', message: '' })).toBe(initial);
	expect(expire(initial, 'lse_1', { hasListened: true, limits })).toBe(initial);
});
