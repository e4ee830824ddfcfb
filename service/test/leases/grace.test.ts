// The minute before the minutes of a lease that waited on the pages.

import { leaseInput } from 'board-access-contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { creditBalance } from '../../../core/src/credits/store.ts';
import { reportAction } from '../../../core/src/leases/actions/report.ts';
import { startMinutes } from '../../../core/src/leases/minutes.ts';
import { requestLease } from '../../../core/src/leases/queue/create.ts';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { findLease } from '../../../core/src/leases/store.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds, ruleTest } from '../../../core/test/support/databases.ts';
import { passMinutes } from '../../../core/test/support/time.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';

const minute = 60_000;
const input = leaseInput.parse({ board_type: 'uno', minutes: 5, wait_seconds: 600 });
let lab: Lab;
let user: LabAccount;
let holder: LabAccount;
// Only the tests advance the clock, so that started minutes are counted exactly.
beforeEach(() => passMinutes(0));
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

/** A lease without a key, as the pages create it. */
async function leaseOnPages() {
	const request = { holder: { accountId: user.id }, input };
	return { accountId: user.id, id: (await requestLease(lab.parts, request)).id };
}

/** One that waited for a minute until its board became free. */
async function leaseThatWaited() {
	const { body } = await holder.lease({ board_type: 'uno' });
	const owned = await leaseOnPages();
	passMinutes(1);
	await holder.release(body.id);
	return owned;
}

const secondsOf = async (owned: { accountId: string; id: string }) => {
	const { charged_from, expires_at } = await findLease(lab.query, owned);
	const until = (time: string | null) => (Date.parse(time ?? '') - Date.now()) / 1000;
	return { untilCharged: until(charged_from), left: until(expires_at) };
};

describe.each(databaseKinds)('the grace of a lease on %s', (kind) => {
	const rule = ruleTest(kind);

	beforeEach(async () => {
		const boards = unoBoards(1, { credits_per_minute: 3 });
		// Longer than the time that passes here without a contact of an agent.
		lab = await openLab(kind, { boards, agentTimeout: 600 });
		user = await lab.account({ credits: 1_000 });
		holder = await lab.account({ credits: 100 });
	});

	test('a lease that waited costs nothing for a minute, and keeps all its minutes', async () => {
		const owned = await leaseThatWaited();
		expect(await user.read(owned.id)).toMatchObject({ status: 'active' });
		expect(await secondsOf(owned)).toEqual({ untilCharged: 60, left: 360 });
		passMinutes(0.9);
		expect((await user.release(owned.id)).body).toMatchObject({ credits: 0 });
		expect(await creditBalance(lab.query, user.id)).toBe(1_000);
	});

	rule('after the grace, the minutes begin by themselves', async () => {
		const owned = await leaseThatWaited();
		passMinutes(2.5);
		expect(await secondsOf(owned)).toEqual({ untilCharged: -90, left: 210 });
		passMinutes(3.5);
		await keepLeases(lab.parts);
		expect(await user.read(owned.id)).toMatchObject({ end_reason: 'expired', credits: 15 });
	});

	rule('its minutes begin when it is started, once', async () => {
		const owned = await leaseThatWaited();
		passMinutes(0.25);
		await Promise.all([1, 2, 3].map(() => startMinutes(lab.parts, owned)));
		expect(await secondsOf(owned)).toEqual({ untilCharged: 0, left: 300 });
		passMinutes(0.25);
		await startMinutes(lab.parts, owned);
		expect(await secondsOf(owned)).toEqual({ untilCharged: -15, left: 285 });
		passMinutes(1);
		expect((await user.release(owned.id)).body).toMatchObject({ credits: 6 });
	});

	rule('its minutes begin with the first pin that is driven', async () => {
		await addAgent(lab.query, ['brd_uno_1'], ['reset']);
		const pins = { names: ['D2'], analog: [], volts: 5 };
		const capabilities = JSON.stringify({ actions: [], console: true, pins });
		await lab.query.updateTable('boards').set({ capabilities }).execute();
		const owned = await leaseThatWaited();
		passMinutes(0.25);
		const body = { pin: 'D2', volts: 0 };
		expect((await user.send('POST', `/leases/${owned.id}/pins`, { body })).status).toBe(200);
		expect(await secondsOf(owned)).toEqual({ untilCharged: 0, left: 300 });
	});

	rule('its minutes begin after the preparation, with the first action or input', async () => {
		const { id: agentId } = await addAgent(lab.query, ['brd_uno_1'], ['reset']);
		const prepare = async () => {
			const { body } = await holder.lease({ board_type: 'uno' });
			const owned = await leaseOnPages();
			passMinutes(1);
			await holder.release(body.id);
			passMinutes(0.2);
			const { fence } = await findLease(lab.query, owned);
			const [action] = (await user.send('GET', `/leases/${owned.id}/actions`)).body.data;
			const done = { status: 'done', message: '' } as const;
			const report = { agentId, actionId: action.id, fence: fence ?? 0, ...done };
			await reportAction(lab.parts, report);
			expect(await secondsOf(owned)).toEqual({ untilCharged: 60, left: 360 });
			return owned;
		};
		const acting = await prepare();
		const body = { action: 'reset' };
		expect((await user.send('POST', `/leases/${acting.id}/actions`, { body })).status).toBe(202);
		expect(await secondsOf(acting)).toEqual({ untilCharged: 0, left: 300 });
		await user.release(acting.id);
		const typing = await prepare();
		const path = `http://localhost/v1/leases/${typing.id}/console`;
		const headers = {
			authorization: `Bearer ${user.key}`,
			'content-type': 'application/octet-stream',
		};
		const typed = new Request(path, { method: 'POST', headers, body: 'x' });
		expect((await lab.app.fetch(typed, {})).status).toBe(204);
		expect(await secondsOf(typing)).toEqual({ untilCharged: 0, left: 300 });
	});

	rule('there is no grace for a lease with a key, nor for one that did not wait', async () => {
		const { body } = await holder.lease({ board_type: 'uno' });
		const queued = await user.lease({ board_type: 'uno', minutes: 5, wait_seconds: 600 });
		passMinutes(1);
		await holder.release(body.id);
		const byKey = { accountId: user.id, id: queued.body.id };
		expect(await secondsOf(byKey)).toEqual({ untilCharged: 0, left: 300 });
		await user.release(byKey.id);
		expect(await secondsOf(await leaseOnPages())).toEqual({ untilCharged: 0, left: 300 });
	});

	test('whatever happens together, it lasts as long as asked and costs from its first minute', async () => {
		const event = fc.constantFrom('start', 'renew', 'look');
		const step = fc.record({
			seconds: fc.constantFrom(0, 7, 45),
			together: fc.array(event, { minLength: 1, maxLength: 3 }),
		});
		const perform = {
			start: (owned: Awaited<ReturnType<typeof leaseOnPages>>) => startMinutes(lab.parts, owned),
			renew: ({ id }: { id: string }) => user.renew(id, 6),
			look: ({ id }: { id: string }) => user.read(id),
		};
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
				const owned = await leaseThatWaited();
				for (const { seconds, together } of steps) {
					passMinutes(seconds / 60);
					// The arbitrary has exactly these names.
					await Promise.all(together.map((name) => perform[name as keyof typeof perform](owned)));
					const { charged_from, expires_at } = await findLease(lab.query, owned);
					const lasts = Date.parse(expires_at ?? '') - Date.parse(charged_from ?? '');
					expect(lasts).toBeGreaterThanOrEqual(input.minutes * minute);
				}
				const { charged_from } = await findLease(lab.query, owned);
				const used = Math.max(0, Date.now() - Date.parse(charged_from ?? ''));
				const { body } = await user.release(owned.id);
				expect(body.credits).toBe(3 * Math.ceil(used / minute));
				const { held_credits } = await lab.query
					.selectFrom('accounts')
					.select('held_credits')
					.where('id', '=', user.id)
					.executeTakeFirstOrThrow();
				expect(held_credits).toBe(0);
			}),
			{ numRuns: 20 },
		);
	});
});
