// Devices that logged in before: a flood of guesses does not lock them out.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { deleteOldDevices, deviceDays } from '../../src/accounts/sessions/devices.ts';
import type { Database } from '../../src/database/database.ts';
import { settingsFrom } from '../../src/env.ts';
import { createLink } from '../../src/members/links.ts';
import { databaseKinds, newAccount, readyDatabase } from '../support/databases.ts';
import { type Accounts, accountsOn, Browser } from '../support/visitor.ts';

const password = 'a long password';
const settings = settingsFrom({});

describe.each(databaseKinds)('a known device on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());
	afterEach(() => {
		vi.useRealTimers();
	});

	const accountsWith = (rateLimitFailedCredentials = 100_000) => {
		const send = vi.fn();
		const mail = { send, close: async () => {} };
		const limited = { ...settings, rateLimitFailedCredentials };
		const accounts = accountsOn({ database, settings: limited, mail });
		/** Whether the owner is told of a log-in from a new device. */
		const isNewFor = async (browser: Browser, credentials: { email: string; password: string }) => {
			send.mockClear();
			browser.keep(await accounts.logIn(browser, credentials));
			return send.mock.calls.length === 1;
		};
		return { ...accounts, isNewFor };
	};

	const outcome = (work: Promise<unknown>) =>
		work.then(
			() => 'in',
			({ code }) => code,
		);

	/** Guesses from ten networks until the account is locked. */
	const lock = async (accounts: Accounts, email: string) => {
		for (let count = 0; count < 12; count += 1) {
			const flood = new Browser(`198.51.100.${count}`);
			await outcome(accounts.logIn(flood, { email, password: 'guess' }));
		}
		return outcome(accounts.logIn(new Browser('198.51.100.99'), { email, password }));
	};

	test('can log in while guesses from ten networks lock out unknown devices', async () => {
		const { email } = await newAccount(database);
		const owner = new Browser();
		owner.keep(await accountsWith().logIn(owner, { email, password }));
		const accounts = accountsWith(1);
		expect(await lock(accounts, email)).toBe('rate_limited');
		owner.forget('session');
		expect(await outcome(accounts.logIn(owner, { email, password }))).toBe('in');
	});

	test('has its own limit, so that a stolen cookie allows few guesses', async () => {
		const { email } = await newAccount(database);
		const owner = new Browser();
		owner.keep(await accountsWith().logIn(owner, { email, password }));
		const thief = owner.stolen('device');
		const accounts = accountsWith(2);
		const guesses = [];
		for (let count = 0; count < 4; count += 1) {
			thief.address = `203.0.113.${count}`;
			guesses.push(await outcome(accounts.logIn(thief, { email, password: 'guess' })));
		}
		const rejected = ['invalid_request', 'invalid_request', 'rate_limited', 'rate_limited'];
		expect(guesses).toEqual(rejected);
		const elsewhere = new Browser('203.0.113.77');
		expect(await outcome(accounts.logIn(elsewhere, { email, password }))).toBe('in');
	});

	test('is known for its own accounts only', async () => {
		const [mine, theirs] = [await newAccount(database), await newAccount(database)];
		const browser = new Browser();
		browser.keep(await accountsWith().logIn(browser, { email: mine.email, password }));
		const accounts = accountsWith(1);
		await lock(accounts, theirs.email);
		const guess = accounts.logIn(browser, { email: theirs.email, password });
		expect(await outcome(guess)).toBe('rate_limited');
	});

	test('is new once for each account, and a forged cookie is replaced', async () => {
		const accounts = accountsWith();
		const [one, two] = [await newAccount(database), await newAccount(database)];
		const browser = new Browser();
		browser.keep({ device: 'planted' });
		const news = [];
		for (const { email } of [one, one, two, one]) {
			news.push(await accounts.isNewFor(browser, { email, password }));
			expect(browser.tokens.device).not.toBe('planted');
		}
		expect(news).toEqual([true, false, true, false]);
	});

	test('is forgotten when the password is reset, and the others when it is changed', async () => {
		const accounts = accountsWith();
		const { email } = await newAccount(database);
		const [mine, theirs] = [new Browser(), new Browser()];
		for (const browser of [mine, theirs]) {
			browser.keep(await accounts.logIn(browser, { email, password }));
		}
		const change = { email, current: password, next: 'another password' };
		mine.keep(await accounts.changePassword(mine, change));
		const newDevice = (browser: Browser, password: string) =>
			accounts.isNewFor(browser, { email, password });
		expect(await newDevice(mine, 'another password')).toBe(false);
		expect(await newDevice(theirs, 'another password')).toBe(true);
		const token = await createLink(database.query, { kind: 'reset', email });
		await accounts.choosePassword(mine, { token, password });
		expect(await newDevice(mine, password)).toBe(true);
	});

	test('is not stored as its token, and is deleted once the cookie has run out', async () => {
		const { id, email } = await newAccount(database);
		const browser = new Browser();
		const { device = '' } = await accountsWith().logIn(browser, { email, password });
		const rows = () =>
			database.query.selectFrom('known_devices').selectAll().where('account_id', '=', id).execute();
		expect(device).toHaveLength(32);
		expect(await rows()).toHaveLength(1);
		expect(JSON.stringify(await rows())).not.toContain(device);
		await deleteOldDevices(database.query);
		expect(await rows()).toHaveLength(1);
		const now = Date.now() + (deviceDays * 24 + 1) * 60 * 60 * 1000;
		vi.useFakeTimers({ toFake: ['Date'], now });
		await deleteOldDevices(database.query);
		expect(await rows()).toEqual([]);
	});
});

test('a known device logs in while a flood of others fills the queue for hashing', async () => {
	const database = await readyDatabase('SQLite');
	const generous = { ...settings, rateLimitFailedCredentials: 100_000 };
	const accounts = accountsOn({ database, settings: generous });
	const { email } = await newAccount(database);
	const owner = new Browser();
	owner.keep(await accounts.logIn(owner, { email, password }));
	const flood = Array.from({ length: 60 }, (_, index) =>
		accounts
			.logIn(new Browser(`198.51.100.${index}`), { email, password: 'guess' })
			.catch(({ code }) => code),
	);
	const stranger = accounts.logIn(new Browser(), { email, password }).catch(({ code }) => code);
	expect(await accounts.logIn(owner, { email, password })).toMatchObject({
		device: owner.tokens.device,
	});
	expect(await stranger).toBe('unavailable');
	expect(await Promise.all(flood)).toContain('unavailable');
	await database.close();
});
