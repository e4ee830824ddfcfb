// Deleting an account: what stops, what stays, and that the address can be used again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { deleteAccount } from '../../src/accounts/delete.ts';
import { createLink, findLink } from '../../src/accounts/links.ts';
import { countAccounts, listAccounts } from '../../src/accounts/search.ts';
import { createAccount, findAccount } from '../../src/accounts/store.ts';
import { createLimits } from '../../src/http/limits.ts';
import { databaseKinds, newAccount } from '../support/databases.ts';
import { type Lab, openLab, unoBoards } from '../support/leasing.ts';
import { Browser } from '../support/visitor.ts';

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
		const { settings, database } = lab.parts;
		const accounts = createAccounts({
			database,
			settings,
			limits: createLimits(database, settings),
		});
		const user = await lab.account();
		const email = await emailOf(user.id);
		const browser = new Browser();
		browser.keep(await accounts.logIn(browser, { email, password }));
		const token = await createLink(lab.query, 'reset', email);
		const before = await countAccounts(lab.query, '');
		await deleteAccount(lab.query, user.id);
		expect((await user.send('GET', '/boards')).status).toBe(401);
		expect(await accounts.current(browser.headers)).toBeUndefined();
		await expect(accounts.logIn(browser, { email, password })).rejects.toThrow();
		await expect(findLink(lab.query, token)).rejects.toMatchObject({ code: 'not_found' });
		expect(await findAccount(lab.query, email)).toBeUndefined();
		expect(await countAccounts(lab.query, '')).toBe(before - 1);
		expect((await listAccounts(lab.query)).map(({ id }) => id)).not.toContain(user.id);
		const again = await createAccount(lab.query, { email, password });
		expect(again.id).not.toBe(user.id);
		await expect(deleteAccount(lab.query, user.id)).rejects.toMatchObject({ code: 'not_found' });
	});

	test('lets go of its board, pays for what it used, and keeps its ledger', async () => {
		const user = await lab.account({ credits: 100 });
		const { body: active } = await user.lease({ board_type: 'uno' });
		const { body: queued } = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect([active.status, queued.status]).toEqual(['active', 'queued']);
		const ended = await deleteAccount(lab.query, user.id);
		expect(ended.map(({ id, end_reason }) => [id, end_reason]).sort()).toEqual(
			[
				[active.id, 'released'],
				[queued.id, 'cancelled'],
			].sort(),
		);
		const ledger = await lab.query
			.selectFrom('credit_entries')
			.select(['amount', 'reason'])
			.where('account_id', '=', user.id)
			.orderBy('amount')
			.execute();
		expect(ledger.map(({ reason }) => reason)).toEqual(['lease', 'grant']);
		const next = await lab.account({ credits: 100 });
		expect((await next.lease({ board_type: 'uno' })).body.status).toBe('active');
	});

	test('is never the last administrator, even when two delete each other', async () => {
		await lab.query.updateTable('accounts').set({ role: 'user' }).execute();
		const one = await newAccount(lab.parts.database, 'admin');
		const lastOne = { message: 'The last administrator cannot be deleted.' };
		await expect(deleteAccount(lab.query, one.id)).rejects.toMatchObject(lastOne);
		const two = await newAccount(lab.parts.database, 'admin');
		const both = await Promise.allSettled([one, two].map(({ id }) => deleteAccount(lab.query, id)));
		expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
	});
});
