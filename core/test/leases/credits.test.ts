// What leases cost: held from the start, booked once at the end.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { creditBalance } from '../../src/credits/store.ts';
import { expireLeases, keepLeases } from '../../src/leases/scheduler.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds, ruleTest } from '../support/databases.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { passMinutes } from '../support/time.ts';

let lab: Lab;
// Only the tests advance the clock, so that started minutes are counted exactly.
beforeEach(() => passMinutes(0));
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

describe.each(databaseKinds)('credits of leases on %s', (kind) => {
	const rule = ruleTest(kind);

	test('a lease costs its price per started minute and is booked with its ID', async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 3 }) });
		const user = await lab.account({ credits: 100 });
		const lease = await user.lease({ board_type: 'uno', minutes: 10 });
		expect(await creditBalance(lab.query, user.id)).toBe(100);
		passMinutes(2.5);
		expect(await user.release(lease.id)).toMatchObject({ credits: 9 });
		const booked = await lab.query
			.selectFrom('credit_entries')
			.select(['amount', 'reason', 'reference'])
			.where('amount', '<', 0)
			.execute();
		expect(booked).toEqual([{ amount: -9, reason: 'lease', reference: `lease ${lease.id}` }]);
		expect(await creditBalance(lab.query, user.id)).toBe(91);
	});

	rule(
		'credits that a live lease holds cannot be spent on another, nor those of a renewal',
		async () => {
			lab = await openLab(kind, { boards: unoBoards(2, { credits_per_minute: 1 }) });
			const user = await lab.account({ credits: 15 });
			const lease = await user.lease({ board_type: 'uno', minutes: 10 });
			await expect(user.lease({ board_type: 'uno', minutes: 10 })).rejects.toMatchObject({
				code: 'credits_exhausted',
				message: 'This needs 10 credits; you have 5 available.',
				details: { hint: 'Top up credits at http://localhost/credits' },
			});
			await user.renew(lease.id, 12);
			const more = user.lease({ board_type: 'uno', minutes: 4, wait_seconds: 9 });
			await expect(more).rejects.toMatchObject({ code: 'credits_exhausted' });
			await user.lease({ board_type: 'uno', minutes: 3 });
			await expect(user.renew(lease.id, 13)).rejects.toMatchObject({ code: 'credits_exhausted' });
		},
	);

	rule('boards without a price can be leased without credits', async () => {
		const paid = unoBoards(1, { id: 'brd_uno_paid', name: 'uno-0', credits_per_minute: 5 });
		lab = await openLab(kind, { boards: [...unoBoards(1), ...paid] });
		const user = await lab.account();
		expect((await user.lease({ board_type: 'uno' })).board_id).toBe('brd_uno_1');
		const named = user.lease({ board_id: 'brd_uno_paid' });
		await expect(named).rejects.toMatchObject({ code: 'credits_exhausted' });
		// The paid board is free, but waiting leads to the board that costs nothing.
		const queued = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect(queued.status).toBe('queued');
	});

	test('fifty requests at once never hold more than the account has', async () => {
		lab = await openLab(kind, {
			boards: unoBoards(50, { credits_per_minute: 1 }),
			leasesPerAccount: 1000,
		});
		const user = await lab.account({ credits: 70 });
		const work = Array.from({ length: 50 }, () => user.lease({ board_type: 'uno', minutes: 10 }));
		const outcomes = await Promise.allSettled(work);
		expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
		for (const outcome of outcomes) {
			if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('credits_exhausted');
		}
		passMinutes(11);
		await keepLeases(lab.core);
		expect(await creditBalance(lab.query, user.id)).toBe(0);
	});

	test('a lease that is ended several times at once is booked once', async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 1 }) });
		const user = await lab.account({ credits: 10 });
		const lease = await user.lease({ board_type: 'uno', minutes: 10 });
		passMinutes(10);
		await Promise.all([
			...Array.from({ length: 5 }, () => user.release(lease.id)),
			...Array.from({ length: 5 }, () =>
				expireLeases(lab.core, { ids: [lease.id], hasListened: true }),
			),
		]);
		expect(await creditBalance(lab.query, user.id)).toBe(0);
		const entries = await lab.query
			.selectFrom('credit_entries')
			.select('id')
			.where('reference', '=', `lease ${lease.id}`)
			.execute();
		expect(entries).toHaveLength(1);
	});
});
