// The life of a lease, rule by rule, without a database.
import { describe, expect, test } from 'vitest';
import { expire, lose, release } from '../../../src/leases/rules/ending.ts';
import { grant } from '../../../src/leases/rules/grant.ts';
import { begin, renew } from '../../../src/leases/rules/minutes.ts';
import type { NewLease } from '../../../src/leases/rules/request.ts';
import { requireRoom } from '../../../src/leases/rules/request.ts';
import { type AccountState, leaseIn } from '../../../src/leases/rules/state.ts';
import { asking, board, initial, later, limits, request } from '../../support/account-state.ts';

const listening = { hasListened: true, limits };

/** Gives the lease a board without an agent, which needs no preparation. */
function granted(state: AccountState, credits_per_minute = 0, id = 'lse_1') {
	const free = { ...board(0), credits_per_minute };
	return grant(state, [{ leaseId: id, board: free, images: [] }], limits);
}

/** A lease that has waited for a minute, and then got a board of this price. */
function afterWait(more: Partial<NewLease> = {}, credits_per_minute = 3) {
	return granted(later(request(initial, asking(more)), 60), credits_per_minute);
}

/** A lease that got a board of this price at once. */
function atOnce(more: Partial<NewLease> = {}, credits_per_minute = 3) {
	return granted(request(initial, asking(more)), credits_per_minute);
}

function lease(state: AccountState) {
	const found = leaseIn(state, 'lse_1');
	if (!found) throw new Error('There is no lease');
	return found;
}

/** The seconds from now until the lease is charged, and until it ends. */
function secondsOf(state: AccountState) {
	const { charged_from, expires_at } = lease(state);
	const until = (time: string | null) => (Date.parse(time ?? '') - state.time) / 1000;
	return { untilCharged: until(charged_from), left: until(expires_at) };
}

/** The same account with this balance. */
function withBalance(balance: number): AccountState {
	return { ...initial, account: { ...initial.account, balance } };
}

describe('an account', () => {
	test('cannot ask for more minutes than the service allows', () => {
		expect(() => requireRoom(initial, { minutes: 60, count: 1 }, limits)).not.toThrow();
		expect(() => requireRoom(initial, { minutes: 61, count: 1 }, limits)).toThrow(
			expect.objectContaining({
				code: 'invalid_request',
				details: expect.objectContaining({ param: 'minutes' }),
			}),
		);
	});

	test('has as many leases as its limit, which the error names, and another once one has ended', () => {
		const two = { ...limits, leasesPerAccount: 2 };
		const one = atOnce();
		expect(() => requireRoom(one, { minutes: 1, count: 1 }, two)).not.toThrow();
		const both = request(one, asking({ id: 'lse_2' }));
		expect(() => requireRoom(both, { minutes: 1, count: 1 }, two)).toThrow(
			expect.objectContaining({
				code: 'lease_limit',
				message: expect.stringContaining('It has lse_1, lse_2.'),
			}),
		);
		expect(() => requireRoom(release(both, 'lse_2'), { minutes: 1, count: 1 }, two)).not.toThrow();
	});

	test('that is disabled neither asks for a lease nor renews one', () => {
		const state = atOnce();
		const disabled = { ...state, account: { ...state.account, disabled_at: '2026-01-01' } };
		const rejection = expect.objectContaining({ code: 'api_key_revoked' });
		expect(() => requireRoom(disabled, { minutes: 1, count: 1 }, limits)).toThrow(rejection);
		expect(() => renew(disabled, 'lse_1', { minutes: 9, ...listening })).toThrow(rejection);
	});
});

describe('a wait', () => {
	test('ends without a board at its time, not before, and costs nothing', () => {
		const state = request(initial, asking({ wait_seconds: 60 }));
		expect(expire(later(state, 59), 'lse_1', listening)).toEqual(later(state, 59));
		expect(lease(expire(later(state, 60), 'lse_1', listening))).toMatchObject({
			status: 'ended',
			end_reason: 'no_board',
			end_message: 'No board became available within 60 seconds.',
			board_id: null,
			credits: 0,
		});
	});

	test('is cancelled by a release', () => {
		const state = release(request(initial, asking()), 'lse_1');
		expect(lease(state)).toMatchObject({ end_reason: 'cancelled', credits: 0 });
	});

	test('uses up no minutes, and a renewal changes nothing', () => {
		const waiting = later(request(initial, asking({ keyId: 'key_1', minutes: 2 })), 300);
		expect(lease(waiting).expires_at).toBeNull();
		expect(renew(waiting, 'lse_1', { minutes: 2, ...listening })).toBe(waiting);
		expect(secondsOf(granted(waiting))).toEqual({ untilCharged: 0, left: 120 });
	});

	test('with a heartbeat ends unless it is renewed, and never reaches past the minutes asked for', () => {
		const waiting = later(request(initial, asking({ minutes: 2, heartbeat: true })), 90);
		expect(secondsOf(waiting).left).toBe(30);
		const renewed = renew(waiting, 'lse_1', { minutes: 60, ...listening });
		expect(secondsOf(renewed).left).toBe(120);
		const dead = expire(later(waiting, 30), 'lse_1', listening);
		expect(lease(dead)).toMatchObject({ end_reason: 'expired', credits: 0 });
		const live = expire(later(renewed, 30), 'lse_1', listening);
		expect(lease(live).status).toBe('queued');
		expect(secondsOf(granted(live)).left).toBe(60 + 120);
	});
});

describe('the minutes of a lease', () => {
	test('begin with its board if it did not wait, or has a key', () => {
		expect(secondsOf(atOnce())).toEqual({ untilCharged: 0, left: 300 });
		expect(secondsOf(afterWait({ keyId: 'key_1' }))).toEqual({ untilCharged: 0, left: 300 });
	});

	test('begin a minute later, or once it is used, if somebody at a page has waited', () => {
		const state = afterWait();
		expect(secondsOf(state)).toEqual({ untilCharged: 60, left: 360 });
		const used = begin(later(state, 15), 'lse_1');
		expect(secondsOf(used)).toEqual({ untilCharged: 0, left: 300 });
		const after = later(used, 15);
		expect(begin(after, 'lse_1')).toBe(after);
		expect(lease(release(later(after, 60), 'lse_1')).credits).toBe(2 * 3);
	});

	test('cost nothing before they have begun, and all of them after they are over', () => {
		const state = afterWait();
		expect(lease(release(later(state, 54), 'lse_1')).credits).toBe(0);
		const over = expire(later(state, 360), 'lse_1', listening);
		expect(lease(over)).toMatchObject({ end_reason: 'expired', credits: 5 * 3 });
	});
});

describe('a renewal', () => {
	test('never shortens a lease, nor exceeds the maximum, of which the end tells', () => {
		const state = later(atOnce({ minutes: 10 }), 300);
		const shorter = renew(state, 'lse_1', { minutes: 2, ...listening });
		expect(secondsOf(shorter).left).toBe(300);
		const capped = renew(state, 'lse_1', { minutes: 90, ...listening });
		expect(secondsOf(capped).left).toBe(55 * 60);
		expect(lease(expire(later(capped, 55 * 60), 'lse_1', listening))).toMatchObject({
			end_reason: 'expired',
			end_message: 'The lease has reached the maximum duration that the service allows: 60 min.',
		});
		expect(lease(expire(later(shorter, 300), 'lse_1', listening))).toMatchObject({
			end_message: 'The lease was not renewed in time.',
		});
	});

	test('counts from now, or from the end of the lease', () => {
		const state = later(atOnce({ minutes: 10 }), 60);
		expect(secondsOf(renew(state, 'lse_1', { minutes: 10, ...listening })).left).toBe(600);
		const onTop = { minutes: 10, fromEnd: true, ...listening };
		expect(secondsOf(renew(state, 'lse_1', onTop)).left).toBe(540 + 600);
	});

	test('is too late once the lease has ended, or its time is over before anything has ended it', () => {
		const rejection = expect.objectContaining({ code: 'lease_ended' });
		const over = later(atOnce(), 300);
		const renewal = { minutes: 2, ...listening };
		expect(() => renew(over, 'lse_1', renewal)).toThrow(rejection);
		expect(() => renew(release(atOnce(), 'lse_1'), 'lse_1', renewal)).toThrow(rejection);
	});

	test('that could not arrive while the service was paused is still in time', () => {
		const over = later(atOnce(), 300);
		const paused = { hasListened: false, limits };
		expect(expire(over, 'lse_1', paused)).toBe(over);
		expect(secondsOf(renew(over, 'lse_1', { minutes: 2, ...paused })).left).toBe(120);
	});

	test('needs the credits that it may cost, beside those that other leases hold', () => {
		const one = granted(request(withBalance(15), asking({ minutes: 5 })), 1);
		const other = asking({ id: 'lse_2', minutes: 5, maxCreditsPerMinute: 1 });
		const two = later(request(one, other), 240);
		expect(secondsOf(renew(two, 'lse_1', { minutes: 6, ...listening })).left).toBe(360);
		expect(() => renew(two, 'lse_1', { minutes: 7, ...listening })).toThrow(
			expect.objectContaining({
				code: 'credits_exhausted',
				message: 'This needs 11 credits; you have 10 available.',
			}),
		);
	});
});

describe('the end of a lease', () => {
	test('books each started minute in full, once', () => {
		const state = release(later(atOnce(), 150), 'lse_1');
		expect(lease(state)).toMatchObject({ end_reason: 'released', credits: 9 });
		expect(state.entries).toMatchObject([
			{ amount: -9, reason: 'lease', reference: 'lease lse_1', account_id: 'acc_1' },
		]);
		expect(state.account.balance).toBe(200 - 9);
		expect(release(later(state, 60), 'lse_1')).toEqual(later(state, 60));
	});

	test('is paid for until the lease was over, however late that is noticed', () => {
		const state = expire(later(atOnce({ minutes: 10 }), 3_600), 'lse_1', listening);
		expect(lease(state)).toMatchObject({ end_reason: 'expired', credits: 30 });
	});

	test('by a lost agent is paid for until its last contact, if it is still of that grant', () => {
		const state = later(atOnce({}, 1), 180);
		const { board_id, fence } = lease(state);
		const lastContact = later(state, -60);
		const loss = {
			boardId: board_id ?? '',
			fence: fence ?? 0,
			message: 'The agent is away.',
			lastContact: new Date(lastContact.time).toISOString(),
		};
		const lost = lose(state, 'lse_1', loss);
		expect(lease(lost)).toMatchObject({
			end_reason: 'agent_lost',
			end_message: 'The agent is away.',
			credits: 2,
		});
		expect(lost.failures).toMatchObject([{ cause: 'agent_lost', lease_id: 'lse_1' }]);
		expect(lose(state, 'lse_1', { ...loss, fence: 0 })).toBe(state);
		expect(lose(state, 'lse_1', { ...loss, boardId: 'brd_2' })).toBe(state);
		expect(lose(lost, 'lse_1', loss)).toBe(lost);
	});
});
