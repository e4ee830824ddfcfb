import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../src/accounts/store.ts';
import type { Database } from '../../src/database/database.ts';
import { settingsFrom } from '../../src/env.ts';
import { disableAccount } from '../../src/members/stop.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';
import { type Accounts, accountsOn, Browser } from '../support/visitor.ts';

const settings = settingsFrom({ RATE_LIMIT_FAILED_CREDENTIALS: '1000' });
const visitor = (tokens = {}) => new Browser(undefined, tokens);
const password = 'correct horse';

describe.each(databaseKinds)('accounts on %s', (kind) => {
	let database: Database;
	let accounts: Accounts;

	beforeAll(async () => {
		database = await readyDatabase(kind);
		accounts = accountsOn({ database, settings });
	});
	afterAll(() => database.close());

	test('a sign-up creates an account on the free tier and logs it in', async () => {
		const tokens = await accounts.signUp(visitor(), { email: 'Ann@example.com', password });
		expect(await accounts.current(visitor(tokens))).toMatchObject({
			email: 'ann@example.com',
			role: 'user',
		});
	});

	test('a password has up to 128 characters of any kind, and each of them counts', async () => {
		const email = 'long@example.com';
		const long = 'ä 漢ñ'.repeat(32);
		await accounts.signUp(visitor(), { email, password: long });
		await accounts.logIn(visitor(), { email, password: long });
		for (const wrong of [long.slice(0, -1), long.toUpperCase()]) {
			await expect(accounts.logIn(visitor(), { email, password: wrong })).rejects.toThrow();
		}
		const next = { email: 'longer@example.com', password: `${long}x` };
		await expect(accounts.signUp(visitor(), next)).rejects.toThrow();
	});

	test('a login replaces an existing session, and a failed login does not', async () => {
		const email = 'gil@example.com';
		const old = await accounts.signUp(visitor(), { email, password });
		const wrong = accounts.logIn(visitor(old), { email, password: 'wrong one' });
		await expect(wrong).rejects.toThrow();
		expect(await accounts.current(visitor(old))).toMatchObject({ email });
		const fresh = await accounts.logIn(visitor(old), { email, password });
		expect(await accounts.current(visitor(old))).toBeUndefined();
		expect(await accounts.current(visitor(fresh))).toMatchObject({ email });
	});

	test('a session keeps 256 characters of the user agent', async () => {
		const email = 'hal@example.com';
		const from = { address: '192.0.2.1', userAgent: 'x'.repeat(15_000) };
		const tokens = await accounts.signUp({ ...from, tokens: {} }, { email, password });
		const change = { email, current: password, next: 'another horse' };
		await accounts.changePassword({ ...from, tokens }, change);
		const { length } = (
			await database.query
				.selectFrom('sessions')
				.innerJoin('accounts', 'accounts.id', 'account_id')
				.select('user_agent')
				.where('email', '=', email)
				.executeTakeFirstOrThrow()
		).user_agent;
		expect(length).toBe(256);
	});

	test('an email address can have only one account', async () => {
		const again = accounts.signUp(visitor(), { email: 'ann@EXAMPLE.com', password });
		await expect(again).rejects.toMatchObject({
			code: 'invalid_request',
			details: { param: 'email' },
		});
	});

	test('a wrong password is rejected', async () => {
		const wrong = accounts.logIn(visitor(), { email: 'ann@example.com', password: 'wrong one' });
		await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
	});

	test('a logout ends the session for every copy of the token', async () => {
		const tokens = await accounts.logIn(visitor(), { email: 'ann@example.com', password });
		await accounts.logOut(visitor(tokens));
		expect(await accounts.current(visitor(tokens))).toBeUndefined();
	});

	test('a changed password ends the other sessions and keeps this one', async () => {
		const email = 'bob@example.com';
		const first = await accounts.signUp(visitor(), { email, password });
		const second = await accounts.logIn(visitor(), { email, password });
		const changed = await accounts.changePassword(visitor(second), {
			email,
			current: password,
			next: 'another horse',
		});
		expect(await accounts.current(visitor(first))).toBeUndefined();
		expect(await accounts.current(visitor(changed))).toMatchObject({ email });
		await expect(accounts.logIn(visitor(), { email, password })).rejects.toThrow();
		await accounts.logIn(visitor(), { email, password: 'another horse' });
	});

	test('a log-in that runs while the password changes opens nothing with the old one', async () => {
		const email = 'ida@example.com';
		const owner = await accounts.signUp(visitor(), { email, password });
		const [checked, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		// Stops between the check of the password and the session.
		const transaction = () => {
			checked.resolve();
			const { query } = database;
			return {
				execute: async <Result>(work: (db: typeof query) => Promise<Result>) => {
					await changed.promise;
					return query.transaction().execute(work);
				},
			};
		};
		const query = new Proxy(database.query, {
			get(target, name) {
				const value = Reflect.get(target, name);
				if (name === 'transaction') return transaction;
				return typeof value === 'function' ? value.bind(target) : value;
			},
		});
		const slow = accountsOn({ database: { ...database, query }, settings });
		const late = slow.logIn(visitor(), { email, password });
		await checked.promise;
		const change = { email, current: password, next: 'another horse' };
		await accounts.changePassword(visitor(owner), change);
		changed.resolve();
		await expect(late).rejects.toMatchObject({ code: 'invalid_request' });
	});

	test('a password is not changed without the current one', async () => {
		const email = 'eve@example.com';
		const tokens = await accounts.signUp(visitor(), { email, password });
		const change = accounts.changePassword(visitor(tokens), {
			email,
			current: 'guess',
			next: 'mine now ok',
		});
		await expect(change).rejects.toMatchObject({ details: { param: 'current' } });
	});

	test.each([
		['is short', '1234567', 'must be at least 8 characters long'],
		['is common', 'Password123', 'is among the most common passwords'],
		['is the name of the service', 'Board-Access-2026!', 'is too common for this service'],
		['is the address', 'DAN.DOE@example.com', 'must not be the email address'],
		['is the name in the address', 'Dan.Maria.Doe', 'must not be the email address'],
	])(
		'a password that %s is rejected when it is chosen and when it is changed',
		async (...given) => {
			const [, guessable, message] = given;
			const email = /Maria/.test(guessable) ? 'dan.maria.doe@example.com' : 'dan.doe@example.com';
			const signUp = accounts.signUp(visitor(), { email, password: guessable });
			await expect(signUp).rejects.toMatchObject({
				details: { errors: [{ path: 'password', message }] },
			});
			const change = { email, current: password, next: guessable };
			await expect(accounts.changePassword(visitor(), change)).rejects.toMatchObject({
				details: { errors: [{ path: 'next', message }] },
			});
		},
	);

	test('wrong guesses of the current password count against the account, whatever their address', async () => {
		const limited = strict(1);
		const email = 'fay@example.com';
		// A thief of the session does not have the token of the device.
		const { session } = await accounts.signUp(visitor(), { email, password });
		const codes = [];
		for (let count = 0; count < 11; count += 1) {
			const from = { ...visitor({ session }), address: `203.0.114.${count}` };
			const guess = { email, current: 'guess', next: 'another horse' };
			codes.push(await limited.changePassword(from, guess).catch(({ code }) => code));
		}
		expect(codes).toEqual([...Array(10).fill('invalid_request'), 'rate_limited']);
		const from = { ...visitor(), address: '203.0.114.99' };
		await expect(limited.logIn(from, { email, password })).rejects.toMatchObject({
			code: 'rate_limited',
		});
	});

	test('a disabled account is logged out at once and cannot log in', async () => {
		const email = 'cat@example.com';
		const tokens = await accounts.signUp(visitor(), { email, password });
		const account = await findAccount(database.query, email);
		await disableAccount(accounts.core, account?.id ?? '');
		expect(await accounts.current(visitor(tokens))).toBeUndefined();
		await expect(accounts.logIn(visitor(), { email, password })).rejects.toThrow();
	});

	test('a session that begins while its account is disabled is invalid', async () => {
		const email = 'cleo@example.com';
		const tokens = await accounts.signUp(visitor(), { email, password });
		await database.query
			.updateTable('accounts')
			.set({ disabled_at: new Date().toISOString() })
			.where('email', '=', email)
			.execute();
		expect(await accounts.current(visitor(tokens))).toBeUndefined();
	});

	test('the database holds neither password nor session token', async () => {
		const tokens = await accounts.logIn(visitor(), { email: 'ann@example.com', password });
		const { session: token = '' } = tokens;
		expect(token.length).toBeGreaterThan(20);
		const rows = [
			await database.query.selectFrom('sessions').selectAll().execute(),
			await database.query.selectFrom('credentials').selectAll().execute(),
		];
		expect(JSON.stringify(rows)).not.toContain(token);
		expect(JSON.stringify(rows)).not.toContain(password);
	});

	test('a forged token, or the token of another service, is not a session', async () => {
		for (const session of ['x', 'a.b=']) {
			expect(await accounts.current(visitor({ session }))).toBeUndefined();
		}
	});

	const strict = (rateLimitFailedCredentials: number) =>
		accountsOn({ database, settings: { ...settings, rateLimitFailedCredentials } });

	test('logins to one account are limited, whatever their address', async () => {
		const limited = strict(1);
		const tries = [];
		for (let count = 0; count < 12; count += 1) {
			const from = { ...visitor(), address: `198.51.100.${count}` };
			const guess = limited.logIn(from, { email: 'nobody@example.com', password: 'guess' });
			tries.push(await guess.catch(({ code }) => code));
		}
		expect(tries).toEqual([...Array(10).fill('invalid_request'), 'rate_limited', 'rate_limited']);
	});

	test('one address cannot lock everyone else out of an account', async () => {
		const limited = strict(2);
		const email = 'ann@example.com';
		const from = { ...visitor(), address: '203.0.113.1' };
		for (let count = 0; count < 4; count += 1) {
			await expect(limited.logIn(from, { email, password: 'guess' })).rejects.toThrow();
		}
		await limited.logIn({ ...visitor(), address: '203.0.113.2' }, { email, password });
	});

	test('successful logins count against their address too', async () => {
		const limited = strict(2);
		const from = { ...visitor(), address: '203.0.113.3' };
		const credentials = { email: 'ann@example.com', password };
		await limited.logIn(from, credentials);
		await limited.logIn(from, credentials);
		await expect(limited.logIn(from, credentials)).rejects.toMatchObject({ code: 'rate_limited' });
	});
});
