// What the page of a queued lease is made of, as the databases have it.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findLease } from '../../../core/src/leases/store.ts';
import { readQueue } from '../../src/web/leases/queue/view.ts';
import { databaseKinds } from '../support/databases.ts';
import { addAgent, type Lab, openLab, unoBoards } from '../support/leasing.ts';
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
			readQueue(lab.query, await findLease(lab.query, { accountId: user.id, id }), 'hold');
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

	test('only boards that suit the lease are drawn, and others are named as alternatives', async () => {
		const [pico] = unoBoards(1, { id: 'brd_pico', name: 'pico-1', board_type: 'pico' });
		const [dear] = unoBoards(1, { id: 'brd_a', name: 'a', board_type: 'a', credits_per_minute: 9 });
		const others = [dear, pico].filter((one) => one !== undefined);
		lab = await openLab(kind, { boards: [...unoBoards(2), ...others] });
		await addAgent(lab.query, ['brd_pico', 'brd_a']);
		const [holder, user] = [await lab.account(), await lab.account()];
		const wanted = { board_id: 'brd_uno_1', minutes: 5 };
		await holder.lease(wanted);
		const { body } = await user.lease({ ...wanted, wait_seconds: 3600 });
		const lease = await findLease(lab.query, { accountId: user.id, id: body.id });
		const { boards, alternative, other, spendable } = await readQueue(lab.query, lease, 'hold');
		expect(boards.map(({ id }) => id)).toEqual(['brd_uno_1']);
		expect(alternative).toMatchObject({ id: 'brd_uno_2' });
		// A board of another type needs other firmware.
		expect(other).toBeUndefined();
		expect(spendable).toBe(0);
		await holder.lease({ ...wanted, board_id: 'brd_uno_2' });
		const without = await readQueue(lab.query, lease, 'hold');
		expect(without.alternative).toBeUndefined();
		// The cheapest, although another one comes first by its name.
		expect(without.other).toMatchObject({ id: 'brd_pico', board_type: 'pico' });
	});
});
