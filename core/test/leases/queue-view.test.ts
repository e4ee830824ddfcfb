// What the page of a queued lease is made of, as the databases have it.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findLease } from '../../src/leases/store.ts';
import { readQueue } from '../../src/leases/view.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { passMinutes } from '../support/time.ts';

let lab: Lab;
// Just after a whole minute, as the page counts.
beforeEach(() => passMinutes(1.001 - ((Date.now() / 60_000) % 1)));
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

describe.each(databaseKinds)('the queue of a type on %s', (kind) => {
	test('the start is the end of the lease that runs, for who has no board comes before who has one', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const [holder, user] = [await lab.account(), await lab.account()];
		await holder.lease({ board_type: 'uno', minutes: 20 });
		await holder.lease({ board_type: 'uno', minutes: 10, wait_seconds: 3600 });
		const { id } = await user.lease({ board_type: 'uno', minutes: 5, wait_seconds: 3600 });
		const lease = await findLease(lab.query, { accountId: user.id, id });
		const now = Math.floor(Date.now() / 60_000) * 60_000;
		const { waiting, start = 0 } = await readQueue(lab.query, lease, [lease]);
		expect([waiting, Math.round((start - now) / 60_000)]).toEqual([2, 20]);
	});

	test('a group starts with the last of its leases', async () => {
		const [uno, pico] = unoBoards(2);
		if (!uno || !pico) throw new Error('There are no boards');
		lab = await openLab(kind, { boards: [uno, { ...pico, board_type: 'pico' }] });
		const [holder, user] = [await lab.account(), await lab.account()];
		const wanted = { wait_seconds: 3600, minutes: 5 };
		await holder.lease({ board_type: 'uno', minutes: 10 });
		await holder.lease({ board_type: 'pico', minutes: 30 });
		const group = { boards: { dut: { board_type: 'uno' }, peer: { board_type: 'pico' } } };
		const { leases } = await user.group({ ...group, ...wanted });
		const now = Math.floor(Date.now() / 60_000) * 60_000;
		const found = await Promise.all(
			leases.map(({ id }) => findLease(lab.query, { accountId: user.id, id })),
		);
		for (const lease of found) {
			const { start = 0 } = await readQueue(lab.query, lease, found);
			expect(Math.round((start - now) / 60_000)).toBe(30);
		}
	});

	test('another board of the type is named as an alternative', async () => {
		lab = await openLab(kind, { boards: unoBoards(2) });
		const [holder, user] = [await lab.account(), await lab.account()];
		const wanted = { board_id: 'brd_uno_1', minutes: 5 };
		await holder.lease(wanted);
		const { id } = await user.lease({ ...wanted, wait_seconds: 3600 });
		const lease = await findLease(lab.query, { accountId: user.id, id });
		const { alternative, spendable } = await readQueue(lab.query, lease, [lease]);
		expect(alternative).toMatchObject({ id: 'brd_uno_2' });
		expect(spendable).toBe(0);
		await holder.lease({ ...wanted, board_id: 'brd_uno_2' });
		const without = await readQueue(lab.query, lease, [lease]);
		expect(without.alternative).toBeUndefined();
	});
});
