// What leases cost: held from the start, booked once at the end.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { creditBalance } from '../../../core/src/credits/store.ts';
import { expireLeases } from '../../../core/src/leases/ending/expire.ts';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds, ruleTest } from '../../../core/test/support/databases.ts';
import { passMinutes } from '../../../core/test/support/time.ts';
import { type Lab, openLab } from '../support/leasing.ts';

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
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
		expect(await creditBalance(lab.query, user.id)).toBe(100);
		passMinutes(2.5);
		expect((await user.release(lease.id)).body).toMatchObject({ credits: 9 });
		const booked = await lab.query
			.selectFrom('credit_entries')
			.select(['amount', 'reason', 'reference'])
			.where('amount', '<', 0)
			.execute();
		expect(booked).toEqual([{ amount: -9, reason: 'lease', reference: `lease ${lease.id}` }]);
		await user.release(lease.id);
		expect(await creditBalance(lab.query, user.id)).toBe(91);
	});

	rule('credits that a live lease holds cannot be spent on another', async () => {
		lab = await openLab(kind, { boards: unoBoards(2, { credits_per_minute: 1 }) });
		const user = await lab.account({ credits: 15 });
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
		const { status, body } = await user.lease({ board_type: 'uno', minutes: 10 });
		expect(status).toBe(402);
		expect(body.error).toMatchObject({
			code: 'credits_exhausted',
			message: 'This needs 10 credits; you have 5 available.',
			hint: 'Top up credits at http://localhost/credits',
		});
		expect((await user.lease({ board_type: 'uno', minutes: 5 })).status).toBe(201);
		expect((await user.renew(lease.id, 11)).body.error).toMatchObject({
			code: 'credits_exhausted',
		});
		expect((await user.read(lease.id)).expires_at).toBe(lease.expires_at);
	});

	rule('a renewal holds more credits, and unused ones are not booked', async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 1 }) });
		const user = await lab.account({ credits: 20 });
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 5 });
		passMinutes(4);
		expect((await user.renew(lease.id, 16)).status).toBe(200);
		expect((await user.lease({ board_type: 'uno', minutes: 1, wait_seconds: 9 })).status).toBe(402);
		passMinutes(4);
		expect((await user.release(lease.id)).body.credits).toBe(8);
		expect(await creditBalance(lab.query, user.id)).toBe(12);
	});

	rule('an expired lease costs its full duration, however late its end is noticed', async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 2 }) });
		const user = await lab.account({ credits: 20 });
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
		passMinutes(60);
		await keepLeases(lab.parts);
		expect(await user.read(lease.id)).toMatchObject({ end_reason: 'expired', credits: 20 });
		expect(await creditBalance(lab.query, user.id)).toBe(0);
	});

	rule('boards without a price can be leased without credits', async () => {
		const [free] = unoBoards(1);
		if (!free) throw new Error('There is a board');
		const paid = { ...free, id: 'brd_uno_paid', name: 'uno-0', credits_per_minute: 5 };
		lab = await openLab(kind, { boards: [free, paid] });
		const user = await lab.account();
		expect((await user.lease({ board_type: 'uno' })).body.board_id).toBe('brd_uno_1');
		const named = await user.lease({ board_id: 'brd_uno_paid' });
		expect(named.body.error.code).toBe('credits_exhausted');
		// The paid board is free, but waiting leads to the board that costs nothing.
		const { body: queued } = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect(queued.status).toBe('queued');
	});

	test('fifty requests at once never hold more than the account has', async () => {
		lab = await openLab(kind, {
			boards: unoBoards(50, { credits_per_minute: 1 }),
			leasesPerAccount: 1000,
		});
		const user = await lab.account({ credits: 70 });
		// A busy database rejects a request with 503, which a client sends again.
		const lease = async () => {
			for (;;) {
				const response = await user.lease({ board_type: 'uno', minutes: 10 });
				if (response.status !== 503) return response;
			}
		};
		const responses = await Promise.all(Array.from({ length: 50 }, lease));
		const statuses = responses.map(({ status }) => status);
		expect(statuses.filter((status) => status === 201)).toHaveLength(7);
		expect(statuses.filter((status) => status === 402)).toHaveLength(43);
		passMinutes(11);
		await keepLeases(lab.parts);
		expect(await creditBalance(lab.query, user.id)).toBe(0);
	});

	test('a lease that is ended several times at once is booked once', async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 1 }) });
		const user = await lab.account({ credits: 10 });
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
		passMinutes(10);
		await Promise.all([
			...Array.from({ length: 5 }, () => user.release(lease.id)),
			...Array.from({ length: 5 }, () =>
				expireLeases(lab.parts, { ids: [lease.id], hasListened: true }),
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

	rule('a lease whose agent is lost is booked up to the last contact', async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 1 }) });
		const user = await lab.account({ credits: 10 });
		const agent = await addAgent(lab.query, ['brd_uno_1']);
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
		passMinutes(2);
		await agent.contact();
		passMinutes(1);
		await keepLeases(lab.parts);
		expect(await user.read(lease.id)).toMatchObject({ end_reason: 'agent_lost', credits: 2 });
		expect(await user.board('brd_uno_1')).toMatchObject({
			status: 'offline',
			status_reason: 'The agent of this board is not connected.',
			lease_id: null,
		});
		expect(await creditBalance(lab.query, user.id)).toBe(8);
	});

	rule('a lease that an administrator ends costs what was used', async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 1 }) });
		const user = await lab.account({ credits: 10 });
		const admin = await lab.account({ admin: true });
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
		passMinutes(1);
		const { body } = await admin.send('DELETE', `/admin/leases/${lease.id}`);
		expect(body).toMatchObject({ end_reason: 'admin', credits: 1, account_id: user.id });
		expect(await creditBalance(lab.query, user.id)).toBe(9);
	});
});
