// The preparation of a board for a lease, and what its failures mean, without a database.
import { describe, expect, test } from 'vitest';
import { expire, lose, release } from '../../../src/leases/rules/ending.ts';
import { grant } from '../../../src/leases/rules/grant.ts';
import {
	expirePreparation,
	failDownload,
	type Report,
	report,
} from '../../../src/leases/rules/preparation.ts';
import type { NewLease } from '../../../src/leases/rules/request.ts';
import {
	type AccountState,
	boardIn,
	leaseIn,
	openSteps,
	spendableIn,
	withLease,
} from '../../../src/leases/rules/state.ts';
import { stepsOf, type UsableImage } from '../../../src/leases/rules/steps.ts';
import { asking, board, initial, later, limits, request } from '../../support/account-state.ts';

const id = 'lse_1';
const alone = { hasOthers: false, rest: 30_000 };
const among = { ...alone, hasOthers: true };

const image = (more: Partial<UsableImage> = {}): UsableImage => ({
	action: 'flash',
	name: 'Blink',
	url: 'https://example.com/blink.hex',
	flash_offset: '0x0',
	file_id: null,
	...more,
});

/** Gives the waiting lease a board with an agent as it is in the state. */
function granted(state: AccountState, number = 1, images: UsableImage[] = []) {
	const free = boardIn(state, `brd_${number}`) ?? board(number);
	return grant(state, [{ leaseId: id, board: free, images }], limits);
}

function preparing(more: Partial<NewLease> = {}, images: UsableImage[] = []) {
	return granted(request(initial, asking(more)), 1, images);
}

function lease(state: AccountState) {
	const found = leaseIn(state, id);
	if (!found) throw new Error('There is no lease');
	return found;
}

/** What the agent reports of the first step that is open. */
function reported(
	state: AccountState,
	{ status, message = '', cause }: Pick<Report, 'status' | 'cause'> & { message?: string },
	circumstances = among,
) {
	const [step] = openSteps(state, id);
	const sent = { actionId: step?.id ?? '', status, message, ...(cause && { cause }) };
	return report(state, lease(state), sent, circumstances);
}

describe('the steps of a preparation', () => {
	const capable = (actions: string[], between_leases = 'keep') => ({
		agent_id: 'agt_1',
		capabilities: JSON.stringify({ actions, console: true, between_leases }),
	});
	const names = (...given: Parameters<typeof stepsOf>) =>
		stepsOf(...given).map((one) => one.action);

	test('are power, the images of the type in their order, and a reset, as far as the agent can', () => {
		const all = capable(['reset', 'power_cycle', 'flash']);
		const images = [image(), image({ action: 'erase', name: 'Clean', url: '' })];
		expect(names(all, images)).toEqual(['power_cycle', 'flash', 'erase', 'reset']);
		expect(names(capable(['reset']), [])).toEqual(['reset']);
		expect(names(capable([]), [])).toEqual([]);
		expect(stepsOf(all, images)[1]).toEqual({ ...image() });
		expect(stepsOf(all, images)[2]).toMatchObject({ url: null, file_id: null, flash_offset: null });
	});

	test('erase a board that nothing else would clean, if its agent asks for that', () => {
		expect(names(capable([], 'erase'), [])).toEqual(['erase']);
		expect(names(capable(['reset'], 'erase'), [])).toEqual(['reset']);
	});

	test('are none without an agent', () => {
		expect(names({ agent_id: null, capabilities: null }, [image()])).toEqual([]);
	});
});

test('a preparation uses up no minutes, and the lease is active with its last step', () => {
	const begun = preparing({ minutes: 2, keyId: 'key_1' });
	expect(lease(begun)).toMatchObject({ status: 'preparing', expires_at: null });
	const halfway = reported(later(begun, 300), { status: 'done' });
	expect(lease(halfway).status).toBe('preparing');
	const { status, started_at, expires_at } = lease(reported(halfway, { status: 'done' }));
	expect(status).toBe('active');
	expect(Date.parse(started_at ?? '')).toBe(halfway.time);
	expect(Date.parse(expires_at ?? '') - halfway.time).toBe(120_000);
});

test('a report of a step counts once, and is a failure only if the step failed', () => {
	const begun = preparing();
	const [step] = openSteps(begun, id);
	const sent = { actionId: step?.id ?? '', status: 'failed', message: 'no power' } as const;
	const failed = report(begun, lease(begun), sent, among);
	expect(failed.failures).toMatchObject([
		{ cause: 'power_cycle_failed', lease_id: id, board_id: 'brd_1', agent_id: 'agt_1' },
	]);
	expect(report(failed, lease(failed), sent, among)).toBe(failed);
	const done = { ...sent, status: 'done', cause: 'board' } as const;
	expect(report(begun, lease(begun), done, among).failures).toEqual([]);
	const own = report(begun, lease(begun), { ...sent, cause: 'agent' }, among);
	expect(own.failures).toMatchObject([{ cause: 'agent_failed' }]);
});

test('a report says where the output of a step begins, at most at the end of the console', () => {
	const begun = withLease(preparing(), { ...lease(preparing()), console_end: 24 });
	const [step] = openSteps(begun, id);
	const offsetFor = (consoleOffset?: number) => {
		const sent = { actionId: step?.id ?? '', status: 'done', message: '', consoleOffset } as const;
		return report(begun, lease(begun), sent, among).actions[0]?.console_offset;
	};
	expect([undefined, 13, 24, 1000].map(offsetFor)).toEqual([null, 13, 24, 24]);
});

test('without its heartbeat, a lease ends during the preparation and costs nothing', () => {
	const begun = preparing({ minutes: 2, heartbeat: true });
	const judged = { hasListened: true, limits };
	expect(lease(expire(later(begun, 119), id, judged)).status).toBe('preparing');
	const ended = expire(later(begun, 120), id, judged);
	expect(lease(ended)).toMatchObject({ end_reason: 'expired', started_at: null, credits: 0 });
	expect(boardIn(ended, 'brd_1')).toMatchObject({ status: 'available', lease_id: null });
});

describe('a preparation that takes too long', () => {
	const over = (state: AccountState, hasOthers = true) =>
		expirePreparation(later(state, 900), id, { hasOthers, limits });

	test('fails at its limit, not before', () => {
		const before = later(preparing(), 899);
		expect(expirePreparation(before, id, { hasOthers: true, limits })).toBe(before);
		expect(lease(over(preparing())).status).toBe('queued');
	});

	test.each([
		['begin', preparing()],
		['finish', reported(preparing(), { status: 'running' })],
	])('says that the agent did not %s the step, and counts against the board', (what, begun) => {
		const failed = over(begun);
		expect(failed.actions.find(({ status }) => status === 'failed')).toMatchObject({
			message: `not done within 900 seconds; the preparation waited for the agent to ${what} it`,
		});
		expect(failed.failures).toMatchObject([{ cause: 'prepare_timeout' }]);
		expect(boardIn(failed, 'brd_1')).toMatchObject({ failed_preparations: 1 });
	});

	test('because of a download does not count against the board', () => {
		const downloading = reported(preparing({}, [image()]), { status: 'done' });
		const failed = over(downloading);
		expect(failed.actions.find(({ status }) => status === 'failed')).toMatchObject({
			action: 'flash',
			message: expect.stringMatching(/waited for the download of its file$/),
		});
		expect(failed.failures).toMatchObject([{ cause: 'download_failed' }]);
		expect(boardIn(failed, 'brd_1')).toMatchObject({ failed_preparations: 0 });
	});
});

test('a failed download fails the step that needs it, and no other', () => {
	const begun = preparing({}, [image()]);
	const fails = { message: 'not found', hasOthers: true };
	expect(failDownload(begun, id, { ...fails, url: 'https://example.com/other.hex' })).toBe(begun);
	const failed = failDownload(begun, id, { ...fails, url: image().url ?? '' });
	expect(lease(failed).status).toBe('queued');
	expect(failed.failures).toMatchObject([{ cause: 'download_failed' }]);
	const stored = preparing({}, [image({ file_id: 'fil_1' })]);
	expect(failDownload(stored, id, { ...fails, url: image().url ?? '' })).toBe(stored);
});

describe('a board whose preparation fails', () => {
	const fail = (state: AccountState, circumstances = among) =>
		reported(state, { status: 'failed', message: 'no power' }, circumstances);

	test('goes into maintenance the second time in a row, and says why', () => {
		const once = fail(preparing());
		expect(boardIn(once, 'brd_1')).toMatchObject({ status: 'available', failed_preparations: 1 });
		const twice = fail(granted(once));
		expect(boardIn(twice, 'brd_1')).toMatchObject({
			status: 'maintenance',
			status_reason: 'Preparation failed 2 times in a row. power_cycle: no power',
			failed_preparations: 0,
		});
	});

	test('says of which base image the failed step was', () => {
		const begun = preparing({}, [image({ action: 'erase', name: 'Wipe' })]);
		const failed = fail(reported(begun, { status: 'done' }), alone);
		const again = reported(granted(failed, 1, [image({ action: 'erase', name: 'Wipe' })]), {
			status: 'done',
		});
		expect(lease(fail(again, alone)).end_message).toMatch(/: erase of Wipe: no power$/);
	});

	test('has to fail twice again after it was prepared', () => {
		const done = { status: 'done' } as const;
		const prepared = reported(reported(granted(fail(preparing())), done), done);
		expect(boardIn(prepared, 'brd_1')).toMatchObject({ failed_preparations: 0 });
	});

	test('gives its lease back to the queue, which ends if no other board could suit it', () => {
		expect(lease(fail(preparing()))).toMatchObject({ status: 'queued', board_id: null });
		// It can try this one again.
		const again = granted(fail(preparing(), alone));
		expect(lease(again).status).toBe('preparing');
		expect(lease(fail(again, alone))).toMatchObject({
			end_reason: 'prepare_failed',
			end_message: 'The preparation of the board failed: power_cycle: no power',
			credits: 0,
		});
	});
});

test('a failure of the agent itself costs neither the lease nor the board', () => {
	let state = preparing({ wait_seconds: 3_600 });
	for (let count = 0; count < 4; count += 1) {
		const failure = { status: 'failed', message: 'no space left', cause: 'agent' } as const;
		state = reported(state, failure, alone);
		expect(lease(state)).toMatchObject({ status: 'queued', wait_extensions: 0 });
		expect(boardIn(state, 'brd_1')).toMatchObject({ failed_preparations: 0 });
		state = granted(later(state, 31));
	}
	expect(lease(state).status).toBe('preparing');
});

describe('a lease that goes back to the queue', () => {
	const lost = (state: AccountState) =>
		lose(state, id, {
			boardId: lease(state).board_id ?? '',
			fence: lease(state).fence ?? 0,
			message: 'The agent is away.',
			lastContact: null,
		});

	test('keeps its place and its console is deleted', () => {
		const begun = later(preparing(), 60);
		const back = lost(begun);
		expect(lease(back)).toMatchObject({
			status: 'queued',
			rank: lease(begun).rank,
			board_id: null,
		});
		expect(back.withoutConsole).toEqual([id]);
		expect(openSteps(back, id)).toEqual([]);
	});

	test('waits another minute for a board, even if its time is up, but only twice', () => {
		let state = preparing({ wait_seconds: 0 });
		for (const [extensions, status] of [
			[1, 'queued'],
			[2, 'queued'],
			[2, 'ended'],
		] as const) {
			state = lost(later(state, 100));
			expect(lease(state).wait_extensions).toBe(extensions);
			expect(lease(expire(state, id, { hasListened: true, limits })).status).toBe(status);
			state = granted(state);
		}
	});

	test('holds what its dearest board would cost, and pays the price of the one that it gets', () => {
		const back = lost(preparing({ keyId: 'key_1', minutes: 10, maxCreditsPerMinute: 5 }));
		expect(spendableIn(back)).toBe(200 - 50);
		const dear = { ...board(0), credits_per_minute: 5 };
		const active = grant(back, [{ leaseId: id, board: dear, images: [] }], limits);
		expect(lease(release(later(active, 30), id)).credits).toBe(5);
	});
});
