// The minute before the minutes of a lease that waited on the pages, and what ends it.

import { leaseInput } from 'board-access-contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { creditBalance } from '../../src/credits/store.ts';
import { reportAction, requestAction } from '../../src/leases/actions/commands.ts';
import { createLease } from '../../src/leases/commands.ts';
import { typeInput } from '../../src/leases/console/commands.ts';
import { startMinutes } from '../../src/leases/minutes.ts';
import { drivePin } from '../../src/leases/pins/store.ts';
import { findLease } from '../../src/leases/store.ts';
import { addAgent, unoBoards } from '../support/boards.ts';
import { databaseKinds, ruleTest } from '../support/databases.ts';
import { type Lab, type LabAccount, openLab, requestOf } from '../support/lab.ts';
import { passMinutes } from '../support/time.ts';

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

/** A lease without a key, as the pages create it, that waited for a minute until its board became free. */
async function leaseThatWaited() {
	const held = await holder.lease({ board_type: 'uno' });
	const accountId = user.id;
	const { result } = await createLease(lab.core, { accountId }, requestOf({ input }));
	const owned = { accountId, id: result.id };
	passMinutes(1);
	await holder.release(held.id);
	return owned;
}

const secondsOf = async (owned: { accountId: string; id: string }) => {
	const { charged_from, expires_at } = await findLease(lab.query, owned);
	const until = (time: string | null) => (Date.parse(time ?? '') - Date.now()) / 1000;
	return { untilCharged: until(charged_from), left: until(expires_at) };
};

const begun = { untilCharged: 0, left: 300 };

describe.each(databaseKinds)('the grace of a lease on %s', (kind) => {
	const rule = ruleTest(kind);

	beforeEach(async () => {
		const boards = unoBoards(1, { credits_per_minute: 3 });
		// Longer than the time that passes here without a contact of an agent.
		lab = await openLab(kind, { boards, agentTimeout: 600 });
		user = await lab.account({ credits: 1_000 });
		holder = await lab.account({ credits: 100 });
	});

	test('costs nothing', async () => {
		const owned = await leaseThatWaited();
		expect(await secondsOf(owned)).toEqual({ untilCharged: 60, left: 360 });
		passMinutes(0.9);
		expect(await user.release(owned.id)).toMatchObject({ credits: 0 });
		expect(await creditBalance(lab.query, user.id)).toBe(1_000);
	});

	test('ends once, though several start the minutes at once', async () => {
		const owned = await leaseThatWaited();
		passMinutes(0.25);
		await Promise.all([1, 2, 3].map(() => startMinutes(lab.core, owned)));
		expect(await secondsOf(owned)).toEqual(begun);
	});

	rule('ends with the first pin that is driven', async () => {
		await addAgent(lab.query, ['brd_uno_1'], ['reset']);
		const pins = { names: ['D2'], analog: [], volts: 5 };
		const capabilities = JSON.stringify({ actions: [], console: true, pins });
		await lab.query.updateTable('boards').set({ capabilities }).execute();
		const owned = await leaseThatWaited();
		passMinutes(0.25);
		const request = requestOf({ ids: { id: owned.id }, input: { pin: 'D2', volts: 0 } });
		await drivePin(lab.core, user.caller, request);
		expect(await secondsOf(owned)).toEqual(begun);
	});

	rule.each([
		[
			'action',
			(id: string) => {
				const request = requestOf({ ids: { id }, input: { action: 'reset' } as const });
				return requestAction(lab.core, user.caller, request);
			},
		],
		[
			'input',
			(leaseId: string) => {
				const typed = { leaseId, data: Buffer.from('x'), offset: undefined, piece: undefined };
				return typeInput(lab.core, user.caller, typed);
			},
		],
	])('begins after the preparation and ends with the first %s', async (_, use) => {
		const { id: agentId } = await addAgent(lab.query, ['brd_uno_1'], ['reset']);
		const owned = await leaseThatWaited();
		passMinutes(0.2);
		const { fence } = await findLease(lab.query, owned);
		const actions = lab.query.selectFrom('lease_actions').select('id');
		const { id: actionId } = await actions
			.where('lease_id', '=', owned.id)
			.executeTakeFirstOrThrow();
		const done = { status: 'done', message: '' } as const;
		await reportAction(lab.core, { agentId, actionId, fence: fence ?? 0, ...done });
		expect(await secondsOf(owned)).toEqual({ untilCharged: 60, left: 360 });
		await use(owned.id);
		expect(await secondsOf(owned)).toEqual(begun);
	});
});
