// What the page of a queued lease is made of, as the databases have it.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findLease } from '../../src/leases/store.ts';
import { readQueue } from '../../src/web/leases/queue-view.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, openLab, unoBoards } from '../support/leasing.ts';
import { passMinutes } from '../support/time.ts';

let lab: Lab;
// Just after a whole minute, as the page counts.
beforeEach(() => passMinutes(1.001 - ((Date.now() / 60_000) % 1)));
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

describe.each(databaseKinds)('the queue of a type on %s', (kind) => {
	test('the start has a range once ten leases of the type have ended', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const holder = await lab.account();
		const user = await lab.account();
		const view = async (id: string) =>
			readQueue(lab.query, await findLease(lab.query, { accountId: user.id, id }));
		const useFor = async (minutes: number) => {
			const { body } = await holder.lease({ board_type: 'uno', minutes: 10 });
			passMinutes(minutes);
			await holder.release(body.id);
		};
		for (const minutes of [5, 6, 7, 8, 9, 9, 9, 9, 9]) await useFor(minutes);
		await holder.lease({ board_type: 'uno', minutes: 20 });
		const { body } = await user.lease({ board_type: 'uno', minutes: 5, wait_seconds: 3600 });
		expect(await view(body.id)).toMatchObject({ compared: 0, places: [{ who: 'You', place: 1 }] });
		await user.release(body.id);
		const [running] = (await holder.send('GET', '/leases')).body.data;
		await holder.release(running.id);
		await useFor(8);
		// Of the one that was released at once, nothing was used.
		await holder.lease({ board_type: 'uno', minutes: 20 });
		const waiting = await user.lease({ board_type: 'uno', minutes: 5, wait_seconds: 3600 });
		const { compared, now, own, start = 0 } = await view(waiting.body.id);
		expect(compared).toBe(11);
		const inMinutes = [own?.estimate?.from, start, own?.estimate?.to].map((time = 0) =>
			Math.round((time - now) / 60_000),
		);
		expect(inMinutes).toEqual([0, 20, 20]);
	});
});
