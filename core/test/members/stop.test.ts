// Deleting an account: what ends, what is kept, and that the address can be used again.

import { leaseInput } from 'board-access-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, findAccount, listAccounts, setRole } from '../../src/accounts/store.ts';
import { listActivity } from '../../src/activity/store.ts';
import { creditBalance } from '../../src/credits/store.ts';
import { findKeyOwner } from '../../src/keys/lookup.ts';
import { issueKey, issueKeyWithin, replaceUnusedKey } from '../../src/keys/store.ts';
import { createLease } from '../../src/leases/commands.ts';
import { createLink, findLink } from '../../src/members/links.ts';
import { deleteAccount, disableAccount } from '../../src/members/stop.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds, newAccount } from '../support/databases.ts';
import { type Lab, openLab, requestOf } from '../support/lab.ts';
import { accountsOn, Browser } from '../support/visitor.ts';

const password = 'a long password';

describe.each(databaseKinds)('a deleted account on %s', (kind) => {
	let lab: Lab;
	beforeAll(async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 2 }) });
	});
	afterAll(() => lab.close());

	const emailOf = async (id: string) => {
		const row = lab.query.selectFrom('accounts').select('email').where('id', '=', id);
		return (await row.executeTakeFirstOrThrow()).email;
	};

	test('has no working key, session or link, and its address makes another account', async () => {
		const accounts = accountsOn(lab.core);
		const user = await lab.account();
		const email = await emailOf(user.id);
		const browser = new Browser();
		browser.keep(await accounts.logIn(browser, { email, password }));
		const token = await createLink(lab.query, { kind: 'reset', email });
		await deleteAccount(lab.core, user.id);
		expect(await findKeyOwner(lab.core.database, user.key)).toBeUndefined();
		expect(await accounts.current(browser)).toBeUndefined();
		await expect(accounts.logIn(browser, { email, password })).rejects.toThrow();
		await expect(findLink(lab.core, token)).rejects.toMatchObject({ code: 'not_found' });
		expect(await findAccount(lab.query, email)).toBeUndefined();
		expect((await listAccounts(lab.query)).map(({ id }) => id)).not.toContain(user.id);
		const again = await createAccount(lab.query, { email, password });
		expect(again.id).not.toBe(user.id);
		await expect(deleteAccount(lab.core, user.id)).rejects.toMatchObject({ code: 'not_found' });
	});

	test('is rejected in a session that has ended meanwhile', async () => {
		const user = await lab.account();
		const deleting = deleteAccount(lab.core, user.id, 'ses_ended');
		await expect(deleting).rejects.toMatchObject({ code: 'credentials_missing' });
		expect(await findKeyOwner(lab.core.database, user.key)).toBeDefined();
	});

	test('releases its board, pays for what it used, and keeps its ledger', async () => {
		const user = await lab.account({ credits: 100 });
		const active = await user.lease({ board_type: 'uno' });
		const queued = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect([active.status, queued.status]).toEqual(['active', 'queued']);
		await deleteAccount(lab.core, user.id);
		const ended = lab.query.selectFrom('leases').select(['id', 'end_reason']);
		const ofAccount = await ended.where('account_id', '=', user.id).execute();
		expect(new Map(ofAccount.map(({ id, end_reason }) => [id, end_reason]))).toEqual(
			new Map([
				[active.id, 'released'],
				[queued.id, 'cancelled'],
			]),
		);
		const ledger = await lab.query
			.selectFrom('credit_entries')
			.select(['amount', 'reason'])
			.where('account_id', '=', user.id)
			.orderBy('amount')
			.execute();
		expect(ledger.map(({ reason }) => reason)).toEqual(['lease', 'grant']);
		const next = await lab.account({ credits: 100 });
		expect((await next.lease({ board_type: 'uno' })).status).toBe('active');
	});

	test('leaves an entry in the activity log', async () => {
		const user = await lab.account({ credits: 1000 });
		await user.lease({ board_type: 'uno', wait_seconds: 60 });
		await deleteAccount(lab.core, user.id);
		const { data } = await listActivity(lab.query, { accountId: user.id }, { limit: 1 });
		expect(data).toMatchObject([{ kind: 'account.deleted', details: { leases: 1 } }]);
	});

	test('gets no lease and no key from a request that was authenticated before', async () => {
		const user = await lab.account({ credits: 100 });
		await deleteAccount(lab.core, user.id);
		const { createdLease, createdKey, replacedKey } = await creations(user.id);
		const rejected = { code: 'api_key_revoked', message: 'The account is disabled or deleted.' };
		await expect(createdLease()).rejects.toMatchObject(rejected);
		await expect(createdKey()).rejects.toMatchObject(rejected);
		await expect(replacedKey()).rejects.toMatchObject(rejected);
	});

	test('has no live lease or key of requests that run while it is deleted', async () => {
		for (let round = 0; round < 10; round += 1) {
			const user = await lab.account({ credits: 1000 });
			const { createdLease, createdKey, replacedKey } = await creations(user.id);
			const work = [createdLease, createdKey, () => deleteAccount(lab.core, user.id), replacedKey];
			const outcomes = await Promise.allSettled(work.map((run) => run()));
			expect(outcomes[2]).toMatchObject({ status: 'fulfilled' });
			const live = (table: 'leases' | 'api_keys', column: 'ended_at' | 'revoked_at') =>
				lab.query
					.selectFrom(table)
					.select('id')
					.where('account_id', '=', user.id)
					.where(column, 'is', null)
					.execute();
			expect(await live('leases', 'ended_at')).toEqual([]);
			expect(await live('api_keys', 'revoked_at')).toEqual([]);
		}
	});

	const creations = async (accountId: string) => {
		const { query, core } = lab;
		const { id } = await issueKey(query, { accountId });
		const input = { ...leaseInput.parse({ board_type: 'uno' }), wait_seconds: 60 };
		return {
			createdLease: () => createLease(core, { accountId }, requestOf({ input })),
			createdKey: () => issueKeyWithin(query, { accountId }, 50),
			replacedKey: () =>
				query.transaction().execute((db) => replaceUnusedKey(db, { accountId, id, used: false })),
		};
	};

	describe('the last administrator', () => {
		const stops = [
			['deleted', deleteAccount],
			['disabled', disableAccount],
			['made a user', (core: Lab['core'], id: string) => setRole(core, id, 'user')],
		] as const;

		test.each(stops)('is never %s, even by two who do it to each other', async (change, stop) => {
			await lab.query.updateTable('accounts').set({ role: 'user' }).execute();
			const one = await newAccount(lab.core.database, 'admin');
			const lastOne = { message: `The last administrator cannot be ${change}.` };
			await expect(stop(lab.core, one.id)).rejects.toMatchObject(lastOne);
			const two = await newAccount(lab.core.database, 'admin');
			const both = await Promise.allSettled([one, two].map(({ id }) => stop(lab.core, id)));
			expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
		});
	});
});

describe.each(databaseKinds)('a disabled account on %s', (kind) => {
	let lab: Lab;
	beforeAll(async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 2 }) });
	});
	afterAll(() => lab.close());

	test('loses its leases, pays for what it used, and its board can be leased again', async () => {
		const user = await lab.account({ credits: 100 });
		const active = await user.lease({ board_type: 'uno' });
		const queued = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect([active.status, queued.status]).toEqual(['active', 'queued']);
		await disableAccount(lab.core, user.id);
		for (const { id } of [active, queued]) {
			const ending = { end_reason: 'admin', end_message: 'The account was disabled.' };
			const lease = lab.query.selectFrom('leases').selectAll().where('id', '=', id);
			expect(await lease.executeTakeFirst()).toMatchObject(ending);
		}
		expect(await creditBalance(lab.query, user.id)).toBe(98);
		const { data } = await listActivity(lab.query, { accountId: user.id }, { limit: 1 });
		expect(data).toMatchObject([{ kind: 'account.disabled', details: { leases: 2 } }]);
		const next = await lab.account({ credits: 100 });
		const lease = await next.lease({ board_type: 'uno' });
		expect(lease.status).toBe('active');
		await next.release(lease.id);
	});

	test('has no live lease of a request that runs while it is disabled', async () => {
		const input = { ...leaseInput.parse({ board_type: 'uno' }), wait_seconds: 60 };
		for (let round = 0; round < 10; round += 1) {
			const { id } = await lab.account({ credits: 1000 });
			const creating = createLease(lab.core, { accountId: id }, requestOf({ input }));
			await Promise.allSettled([creating, disableAccount(lab.core, id)]);
			const leases = lab.query.selectFrom('leases').select('status').where('account_id', '=', id);
			for (const { status } of await leases.execute()) expect(status).toBe('ended');
		}
	});
});
