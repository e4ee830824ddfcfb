// One-time links: new passwords, invitations, and who can sign up.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, findAccount } from '../../src/accounts/store.ts';
import type { Database } from '../../src/database/database.ts';
import { settingsFrom } from '../../src/env.ts';
import { createLink, deleteOldLinks, findLink } from '../../src/members/links.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';
import { accountsOn, Browser, coreOn } from '../support/visitor.ts';

const password = 'correct horse';
const visitor = (tokens = {}) => new Browser(undefined, tokens);
const over = { code: 'not_found' };

describe.each(databaseKinds)('links on %s', (kind) => {
	let database: Database;
	const accountsWith = (source: Record<string, string> = {}) => {
		const settings = settingsFrom({ RATE_LIMIT_FAILED_CREDENTIALS: '1000', ...source });
		return accountsOn({ database, settings });
	};
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());

	test('a reset link sets the password, ends every session and verifies the address', async () => {
		const accounts = accountsWith();
		const email = 'ann@example.com';
		const tokens = await accounts.signUp(visitor(), { email, password });
		expect((await findAccount(database.query, email))?.verified_at).toBeNull();
		const token = await createLink(database.query, { kind: 'reset', email: 'Ann@example.com' });
		await accounts.choosePassword(visitor(), { token, password: 'another horse' });
		expect(await accounts.current(visitor(tokens))).toBeUndefined();
		await expect(accounts.logIn(visitor(), { email, password })).rejects.toThrow();
		await accounts.logIn(visitor(), { email, password: 'another horse' });
		expect((await findAccount(database.query, email))?.verified_at).toEqual(expect.any(String));
	});

	test('a link works once, and ends the other links to the same address', async () => {
		const accounts = accountsWith();
		await createAccount(database.query, { email: 'bob@example.com', password });
		const [first, second] = [
			await createLink(database.query, { kind: 'reset', email: 'bob@example.com' }),
			await createLink(database.query, { kind: 'reset', email: 'bob@example.com' }),
		];
		const choose = (token: string) =>
			accounts.choosePassword(visitor(), { token, password: 'another horse' }).then(
				() => 'set',
				({ code }) => code,
			);
		const both = await Promise.all([choose(first), choose(first)]);
		expect(both.sort()).toEqual(['not_found', 'set']);
		expect(await choose(second)).toBe('not_found');
	});

	test('a link is not used up by opening it or by a rejected password', async () => {
		const accounts = accountsWith();
		await createAccount(database.query, { email: 'cat@example.com', password });
		const token = await createLink(database.query, { kind: 'reset', email: 'cat@example.com' });
		await findLink(coreOn(database), token);
		const common = accounts.choosePassword(visitor(), { token, password: 'password123' });
		await expect(common).rejects.toMatchObject({ details: { param: 'password' } });
		await accounts.choosePassword(visitor(), { token, password: 'another horse' });
	});

	test('a link expires after an hour, and is then deleted', async () => {
		await createAccount(database.query, { email: 'dan@example.com', password });
		const token = await createLink(database.query, { kind: 'reset', email: 'dan@example.com' });
		const links = database.query.selectFrom('account_links').where('email', '=', 'dan@example.com');
		const { expires_at } = await links.select('expires_at').executeTakeFirstOrThrow();
		const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
		expect(Math.round(minutes)).toBe(60);
		await database.query
			.updateTable('account_links')
			.set({ expires_at: new Date(Date.now() - 1).toISOString() })
			.where('email', '=', 'dan@example.com')
			.execute();
		await expect(findLink(coreOn(database), token)).rejects.toMatchObject(over);
		await deleteOldLinks(database.query);
		expect(await links.selectAll().execute()).toEqual([]);
	});

	test('the database does not hold the token of a link', async () => {
		const token = await createLink(database.query, { kind: 'reset', email: 'ann@example.com' });
		const rows = await database.query.selectFrom('account_links').selectAll().execute();
		expect(rows.length).toBeGreaterThan(0);
		expect(JSON.stringify(rows)).not.toContain(token);
		await expect(findLink(coreOn(database), rows[0]?.hash ?? '')).rejects.toMatchObject(over);
	});

	test('an invitation creates an account with a verified address', async () => {
		const accounts = accountsWith({ SIGNUP: 'invite' });
		const email = 'eve@example.com';
		const token = await createLink(database.query, { kind: 'invite', email });
		await accounts.choosePassword(visitor(), { token, password });
		await accounts.logIn(visitor(), { email, password });
		expect(await findAccount(database.query, email)).toMatchObject({
			role: 'user',
			verified_at: expect.any(String),
		});
	});

	test('an invitation does not take over an account that was created in the meantime', async () => {
		const accounts = accountsWith();
		const email = 'fay@example.com';
		const token = await createLink(database.query, { kind: 'invite', email });
		await accounts.signUp(visitor(), { email, password });
		const late = accounts.choosePassword(visitor(), { token, password: 'another horse' });
		await expect(late).rejects.toMatchObject({ details: { param: 'email' } });
		await accounts.logIn(visitor(), { email, password });
	});

	test.each(['invite', 'closed'])(
		'with SIGNUP=%s nobody can sign up without an invitation',
		async (SIGNUP) => {
			const accounts = accountsWith({ SIGNUP });
			const email = `${SIGNUP}@example.com`;
			await expect(accounts.signUp(visitor(), { email, password })).rejects.toMatchObject({
				code: 'invalid_request',
			});
			expect(await findAccount(database.query, email)).toBeUndefined();
		},
	);

	test('with SIGNUP=closed invitations are rejected', async () => {
		const accounts = accountsWith({ SIGNUP: 'closed' });
		const token = await createLink(database.query, { kind: 'invite', email: 'gus@example.com' });
		const accept = accounts.choosePassword(visitor(), { token, password });
		await expect(accept).rejects.toMatchObject({ code: 'invalid_request' });
		expect(await findAccount(database.query, 'gus@example.com')).toBeUndefined();
	});
});
