// How boards are used, as their pages read it.
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { usualTimes } from '../../src/leases/actions/store.ts';
import { estimate } from '../../src/leases/queue/estimate.ts';
import {
	countWaiting,
	readHolderNames,
	readQueueOfType,
	readRunning,
	readWaiting,
} from '../../src/leases/queue/usage.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';
import { type Lab, openLab } from '../support/lab.ts';

let lab: Lab;

const [one, two] = ['brd_uno_1', 'brd_uno_2'];

describe.each(databaseKinds)('the use of boards on %s', (kind) => {
	afterEach(() => lab.close());

	test('the leases that hold boards are read by their boards, and those of other boards are not', async () => {
		lab = await openLab(kind, { boards: unoBoards(2) });
		const user = await lab.account();
		const { id } = await user.lease({ board_id: one, label: 'bring-up' });
		await user.lease({ board_id: two });
		const running = await readRunning(lab.query, [one]);
		expect([...running.keys()]).toEqual([one]);
		expect(running.get(one)).toMatchObject({ id, label: 'bring-up', status: 'active' });
		expect(await readRunning(lab.query, [])).toEqual(new Map());
	});

	test('waiting leases are counted by their type, or by the board if they want no other', async () => {
		lab = await openLab(kind, { boards: unoBoards(2) });
		const [holder, user] = [await lab.account(), await lab.account()];
		for (const board_id of [one, two]) await holder.lease({ board_id, minutes: 30 });
		const wanted = await user.lease({ board_id: one, minutes: 20, wait_seconds: 3600 });
		await user.lease({ board_type: 'uno', wait_seconds: 3600 });
		await holder.lease({ board_type: 'uno', wait_seconds: 3600 });
		const waiting = await countWaiting(lab.query, ['uno', 'other']);
		expect(waiting).toEqual(
			new Map([
				['uno', 2],
				[one, 1],
			]),
		);
		expect((await readWaiting(lab.query, user.id)).get(one)).toBe(wanted.id);
		expect((await readWaiting(lab.query, holder.id)).get(one)).toBeUndefined();
		const now = Date.now();
		const { boards, queue } = await readQueueOfType(lab.query, 'uno', now);
		expect(queue).toHaveLength(3);
		const { free } = estimate(boards, queue);
		// After half an hour, one is used for 20 minutes, the other one for 10 and for 10.
		for (const id of [one, two]) {
			expect(Math.round(((free.get(id) ?? 0) - now) / 60_000)).toBe(50);
		}
	});

	test('holders are named by their addresses and by the labels of their keys', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		await lab.query.updateTable('api_keys').set({ label: 'nightly' }).execute();
		await user.lease({ board_id: one });
		const [lease] = (await readRunning(lab.query, [one])).values();
		const names = await readHolderNames(lab.query, lease ? [lease] : []);
		expect(names.get(user.id)).toMatch(/@example\.com$/);
		expect(names.get(lease?.api_key_id ?? '')).toBe('nightly');
	});
});

test('none of it reads all leases that there ever were', async () => {
	// Without a service, which reads leases by itself too.
	const database = await readyDatabase('SQLite');
	onTestFinished(() => database.close());
	const { query } = database;
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	await readRunning(query, [one, two]);
	await countWaiting(query, ['uno']);
	await readWaiting(query, 'acc_1');
	await readQueueOfType(query, 'uno', 0);
	await usualTimes(query, 'uno');
	const used = prepare.mock.calls.map(([statement], index) => ({
		statement,
		opened: prepare.mock.contexts[index] as DatabaseSync,
	}));
	prepare.mockRestore();
	expect(used.length).toBeGreaterThanOrEqual(5);
	for (const { statement, opened } of used) {
		const plan = opened.prepare(`explain query plan ${statement}`).all();
		const scans = plan.filter(({ detail }) => /^SCAN (leases|lease_actions)$/.test(String(detail)));
		expect({ statement, scans }).toEqual({ statement, scans: [] });
	}
});
