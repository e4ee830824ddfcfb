// Sessions: listed, ended, and expired without use.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
	deleteOldSessions,
	endSession,
	endSessions,
	listSessions,
	requireConfirmation,
	sessionsPerAccount,
} from '../../src/accounts/sessions/sessions.ts';
import { listActivity } from '../../src/activity/store.ts';
import type { Database } from '../../src/database/database.ts';
import { settingsFrom } from '../../src/env.ts';
import { databaseKinds, newAccount, readyDatabase } from '../support/databases.ts';
import { type Accounts, accountsOn, Browser } from '../support/visitor.ts';

const password = 'a long password';
const minute = 60_000;
const settings = settingsFrom({
	RATE_LIMIT_FAILED_CREDENTIALS: '100000',
	SESSION_IDLE_MINUTES: '60',
	SESSION_MAX_HOURS: '48',
});

describe.each(databaseKinds)('sessions on %s', (kind) => {
	let database: Database;
	let accounts: Accounts;

	beforeAll(async () => {
		database = await readyDatabase(kind);
		accounts = accountsOn({ database, settings });
	});
	afterAll(() => database.close());
	afterEach(() => {
		vi.useRealTimers();
	});

	const later = (minutes: number) => {
		const now = Date.now() + minutes * minute;
		vi.useFakeTimers({ toFake: ['Date'], now });
	};

	const logIn = async ({ email }: { email: string }, browser = new Browser()) =>
		browser.keep(await accounts.logIn(browser, { email, password }));

	const current = (browser: Browser) => accounts.current(browser);

	test('are listed with their address and user agent, last used first', async () => {
		const account = await newAccount(database);
		const first = await logIn(account, new Browser('198.51.100.7'));
		later(5);
		await logIn(account);
		later(5);
		await current(first);
		await vi.waitFor(async () => {
			const list = await listSessions(accounts.core, account.id);
			expect(list.map(({ ip_address }) => ip_address)).toEqual(['198.51.100.7', '192.0.2.1']);
			expect(list[0]?.user_agent).toContain('Firefox');
			expect((list[0]?.last_used_at ?? '') > (list[0]?.created_at ?? '')).toBe(true);
		});
	});

	test('one is ended, and only by its own account', async () => {
		const [account, other] = [await newAccount(database), await newAccount(database)];
		const browser = await logIn(account);
		const { sessionId = '' } = (await current(browser)) ?? {};
		await endSession(accounts.core, other.id, sessionId);
		expect(await current(browser)).toBeDefined();
		await endSession(accounts.core, account.id, sessionId);
		expect(await current(browser)).toBeUndefined();
	});

	test('all others are ended', async () => {
		const account = await newAccount(database);
		const [first, second] = [await logIn(account), await logIn(account)];
		await endSessions(accounts.core, account.id, (await current(second))?.sessionId);
		expect(await current(first)).toBeUndefined();
		expect(await current(second)).toBeDefined();
	});

	test('end after the idle time, and last as long as they are used', async () => {
		const account = await newAccount(database);
		const browser = await logIn(account);
		const idle = await logIn(account);
		for (let count = 0; count < 3; count += 1) {
			later(40);
			const time = new Date().toISOString();
			expect(await current(browser)).toMatchObject({ id: account.id });
			// The use is noted in the background.
			await vi.waitFor(async () => {
				const [newest] = await listSessions(accounts.core, account.id);
				expect((newest?.last_used_at ?? '') >= time).toBe(true);
			});
		}
		expect(await current(idle)).toBeUndefined();
		expect(await listSessions(accounts.core, account.id)).toHaveLength(1);
	});

	test('end after SESSION_MAX_HOURS, however they are used', async () => {
		const account = await newAccount(database);
		const browser = await logIn(account);
		for (let count = 0; count < 60; count += 1) {
			later(48);
			await current(browser);
		}
		expect(await current(browser)).toBeUndefined();
	});

	test('that have ended are deleted by housekeeping', async () => {
		const account = await newAccount(database);
		await logIn(account);
		later(61);
		await logIn(account);
		await deleteOldSessions(database.query, 60);
		const rows = await database.query
			.selectFrom('sessions')
			.select('id')
			.where('account_id', '=', account.id)
			.execute();
		expect(rows).toHaveLength(1);
	});

	test('the oldest one ends when an account has too many', async () => {
		const account = await newAccount(database);
		const oldest = await logIn(account);
		later(1);
		const time = new Date().toISOString();
		const rows = Array.from({ length: sessionsPerAccount - 1 }, (_, index) => ({
			id: `ses_${account.id}_${index}`,
			token_hash: `${account.id} ${index}`,
			account_id: account.id,
			ip_address: '',
			user_agent: '',
			expires_at: new Date(Date.now() + minute).toISOString(),
			created_at: time,
			last_used_at: time,
			confirmed_at: time,
		}));
		await database.query.insertInto('sessions').values(rows).execute();
		expect(await current(oldest)).toBeDefined();
		later(1);
		const newest = await logIn(account);
		expect(await current(oldest)).toBeUndefined();
		expect(await current(newest)).toBeDefined();
	});

	test('the password confirms a session for 15 minutes, and again after it was entered', async () => {
		const browser = await logIn(await newAccount(database));
		const recent = async () => {
			const member = await current(browser);
			if (!member) throw new Error('The session is over');
			requireConfirmation(member);
			return member;
		};
		later(14);
		const member = await recent();
		later(2);
		await expect(recent()).rejects.toMatchObject({ code: 'confirmation_required' });
		const wrong = accounts.confirm(browser, member, 'wrong one');
		await expect(wrong).rejects.toMatchObject({ details: { errors: [{ path: 'confirmation' }] } });
		await expect(recent()).rejects.toMatchObject({ code: 'confirmation_required' });
		browser.keep(await accounts.confirm(browser, member, password));
		await recent();
	});

	test('has another token once the password was entered again; the former one works for ten seconds, unconfirmed', async () => {
		const browser = await logIn(await newAccount(database));
		const thief = browser.stolen('session');
		const member = await current(thief);
		if (!member) throw new Error('The session is over');
		expect(member.confirmed).toBe(true);
		browser.keep(await accounts.confirm(browser, member, password));
		const { sessionId } = member;
		expect(await current(browser)).toMatchObject({ sessionId, confirmed: true });
		expect(await current(thief)).toMatchObject({ sessionId, confirmed: false });
		// Neither does the password give the former token another one.
		expect(await accounts.confirm(thief, member, password)).toEqual({});
		later(10 / 60);
		expect(await current(thief)).toBeUndefined();
		expect(await current(browser)).toMatchObject({ sessionId });
		const { session: token = '' } = browser.tokens;
		const { token_hash } = await database.query
			.selectFrom('sessions')
			.select('token_hash')
			.where('id', '=', member.sessionId)
			.executeTakeFirstOrThrow();
		expect(token_hash).toBe(createHash('sha256').update(token).digest('hex'));
	});

	test('last while they are used, however short the idle time is', async () => {
		const account = await newAccount(database);
		const short = { ...settings, sessionIdleMinutes: 1 };
		const strict = accountsOn({ database, settings: short });
		const browser = new Browser();
		browser.keep(await strict.logIn(browser, { email: account.email, password }));
		for (const seconds of [59, 2, 58, 3]) {
			later(seconds / 60);
			const time = new Date().toISOString();
			expect(await strict.current(browser)).toBeDefined();
			await vi.waitFor(async () => {
				const [newest] = await listSessions(strict.core, account.id);
				expect((newest?.last_used_at ?? '') >= time).toBe(true);
			});
		}
		later(1);
		expect(await strict.current(browser)).toBeUndefined();
	});

	test('a token that was planted before the log-in is not the session', async () => {
		const { email } = await newAccount(database);
		const [browser, thief] = [new Browser(), new Browser()];
		thief.keep({ session: 'A'.repeat(32) });
		browser.keep({ session: 'A'.repeat(32) });
		browser.keep(await accounts.logIn(browser, { email, password }));
		expect(await current(browser)).toMatchObject({ email });
		expect(await current(thief)).toBeUndefined();
	});

	test('that end leave an entry in the activity log: which one, or how many', async () => {
		const account = await newAccount(database);
		const browsers = [await logIn(account), await logIn(account), await logIn(account)];
		const ids = await Promise.all(browsers.map(async (each) => (await current(each))?.sessionId));
		const [first = '', second = ''] = ids;
		await endSession(accounts.core, account.id, first);
		await endSession(accounts.core, account.id, first);
		await endSessions(accounts.core, account.id, second);
		await endSessions(accounts.core, account.id);
		await endSessions(accounts.core, account.id);
		const filter = { accountId: account.id, kind: 'session.ended' } as const;
		const { data } = await listActivity(database.query, filter, { limit: 10 });
		expect(data.map(({ subject_id, details }) => [subject_id, details])).toEqual([
			[null, { sessions: 1 }],
			[null, { sessions: 1 }],
			[first, {}],
		]);
	});

	test('guesses at the password of a session count for the account, whatever their address', async () => {
		const strict = { ...settings, rateLimitFailedCredentials: 1 };
		const limited = accountsOn({ database, settings: strict });
		const browser = await logIn(await newAccount(database));
		const member = await current(browser);
		if (!member) throw new Error('There is no session');
		const thief = browser.stolen('session');
		const codes = [];
		for (let count = 0; count < 12; count += 1) {
			thief.address = `203.0.113.${count}`;
			codes.push(await limited.confirm(thief, member, 'guess').catch(({ code }) => code));
		}
		expect(codes).toEqual([
			...Array(10).fill('confirmation_required'),
			'rate_limited',
			'rate_limited',
		]);
	});
});
