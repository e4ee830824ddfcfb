// Two-factor authentication: codes of an authenticator app and recovery codes.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
	acceptCode,
	countRecoveryCodes,
	disableTwoFactor,
	replaceRecoveryCodes,
	setUpTwoFactor,
} from '../../src/accounts/two-factor.ts';
import { listActivity } from '../../src/activity/store.ts';
import type { Database } from '../../src/database/database.ts';
import { settingsFrom } from '../../src/env.ts';
import { createLog } from '../../src/log.ts';
import { verifyAddress } from '../../src/members/email.ts';
import { createLink } from '../../src/members/links.ts';
import { databaseKinds, newAccount, readyDatabase } from '../support/databases.ts';
import { totp } from '../support/totp.ts';
import { type Accounts, accountsOn, Browser } from '../support/visitor.ts';

const password = 'a long password';

describe.each(databaseKinds)('two-factor authentication on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());
	afterEach(() => {
		vi.useRealTimers();
	});

	const verifiedAccount = () => newAccount(database, 'user', { verified: true });

	const accountsWith = (variables: Record<string, string> = {}) => {
		const settings = settingsFrom({ RATE_LIMIT_FAILED_CREDENTIALS: '100000', ...variables });
		const accounts = accountsOn({ database, settings });
		const twoFactor = {
			setup: setUpTwoFactor.bind(null, accounts.core),
			accept: acceptCode.bind(null, accounts.core),
			countRecoveryCodes: countRecoveryCodes.bind(null, accounts.core),
			replaceRecoveryCodes: replaceRecoveryCodes.bind(null, accounts.core),
		};
		return Object.assign(accounts, { twoFactor });
	};

	const memberIn = async (accounts: Accounts, browser: Browser) => {
		const member = await accounts.current(browser);
		if (!member) throw new Error('There is no session');
		return member;
	};

	/** An account with an authenticator app, and the browser in which it was set up. */
	const enabled = async (accounts = accountsWith()) => {
		const { id, email } = await verifiedAccount();
		const browser = new Browser();
		browser.keep(await accounts.logIn(browser, { email, password }));
		const member = await memberIn(accounts, browser);
		const { secret, url } = await accounts.twoFactor.setup(member);
		const { codes, tokens } = await accounts.enableTwoFactor(browser, member, totp(secret));
		browser.keep(tokens);
		return { accounts, id, email, browser, secret, url, codes };
	};

	/** Enters the password in another browser, where a code is next. */
	const firstStep = async ({ accounts, email }: { accounts: Accounts; email: string }) => {
		const browser = new Browser('198.51.100.1');
		const entry = await accounts.logIn(browser, { email, password });
		expect(entry).toEqual({ logIn: expect.any(String) });
		return browser.keep(entry);
	};

	const halfMinutesLater = (count: number) => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + count * 30_000 });
	};

	const incorrect = { code: 'invalid_request', details: { param: 'code' } };

	test('is on from the first code, which ends the other sessions and gives this one a new token', async () => {
		const accounts = accountsWith();
		const { email } = await verifiedAccount();
		const [mine, other] = [new Browser(), new Browser()];
		for (const browser of [mine, other]) {
			browser.keep(await accounts.logIn(browser, { email, password }));
		}
		const member = await memberIn(accounts, mine);
		expect(member.twoFactor).toBe(false);
		const { secret } = await accounts.twoFactor.setup(member);
		for (const code of ['000000', '12345é', '１２３４５６']) {
			const wrong = accounts.enableTwoFactor(mine, member, code);
			await expect(wrong).rejects.toMatchObject(incorrect);
		}
		expect((await memberIn(accounts, mine)).twoFactor).toBe(false);
		expect((await accounts.twoFactor.setup(member)).secret).toBe(secret);
		const { tokens } = await accounts.enableTwoFactor(mine, member, totp(secret));
		expect(await memberIn(accounts, mine)).toMatchObject({ twoFactor: true, confirmed: false });
		expect(await memberIn(accounts, mine.keep(tokens))).toMatchObject({ confirmed: true });
		expect(await accounts.current(other)).toBeUndefined();
	});

	test('a secret that another session was shown makes no codes', async () => {
		const accounts = accountsWith();
		const { email } = await verifiedAccount();
		const [thief, owner] = [new Browser(), new Browser()];
		for (const browser of [thief, owner]) {
			browser.keep(await accounts.logIn(browser, { email, password }));
		}
		const seen = await accounts.twoFactor.setup(await memberIn(accounts, thief));
		const member = await memberIn(accounts, owner);
		const early = accounts.enableTwoFactor(owner, member, totp(seen.secret));
		await expect(early).rejects.toMatchObject(incorrect);
		const { secret } = await accounts.twoFactor.setup(member);
		expect(secret).not.toBe(seen.secret);
		await accounts.enableTwoFactor(owner, member, totp(secret));
		halfMinutesLater(2);
		const waiting = await firstStep({ accounts, email });
		const guess = accounts.enterCode(waiting, totp(seen.secret));
		await expect(guess).rejects.toMatchObject(incorrect);
		await accounts.enterCode(waiting, totp(secret));
	});

	test('the password alone opens no session, and the code does', async () => {
		const account = await enabled();
		const { accounts, secret } = account;
		const browser = await firstStep(account);
		expect(await accounts.current(browser)).toBeUndefined();
		expect(await accounts.awaitsCode(browser)).toBe(true);
		await expect(accounts.enterCode(browser, '000000')).rejects.toMatchObject(incorrect);
		halfMinutesLater(1);
		browser.keep(await accounts.enterCode(browser, totp(secret)));
		expect(await accounts.current(browser)).toMatchObject({ email: account.email });
		expect(await accounts.awaitsCode(browser)).toBe(false);
	});

	test('a code is accepted once, even when it is sent twice at once', async () => {
		const account = await enabled();
		const { accounts, secret } = account;
		const setUpWith = totp(secret);
		const again = await firstStep(account);
		await expect(accounts.enterCode(again, setUpWith)).rejects.toMatchObject(incorrect);
		halfMinutesLater(2);
		const code = totp(secret);
		const browsers = [await firstStep(account), await firstStep(account)];
		const entries = browsers.map((browser) =>
			accounts.enterCode(browser, code).then(
				() => 'in',
				() => 'rejected',
			),
		);
		expect((await Promise.all(entries)).sort()).toEqual(['in', 'rejected']);
	});

	test('a code of a clock that is half a minute off is accepted, and of a minute is not', async () => {
		const account = await enabled();
		const { accounts, secret } = account;
		halfMinutesLater(10);
		for (const steps of [-2, 2]) {
			const guess = accounts.enterCode(await firstStep(account), totp(secret, steps));
			await expect(guess).rejects.toMatchObject(incorrect);
		}
		await accounts.enterCode(await firstStep(account), totp(secret, -1));
		await accounts.enterCode(await firstStep(account), totp(secret, 1));
	});

	test('a recovery code works once, however it is typed', async () => {
		const account = await enabled();
		const { accounts, id, codes } = account;
		expect(codes).toHaveLength(10);
		const [code = ''] = codes;
		expect(code).toMatch(/^([a-z2-7]{4}-){6}[a-z2-7]{2}$/);
		const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
		await accounts.enterCode(await firstStep(account), typed);
		const again = accounts.enterCode(await firstStep(account), code);
		await expect(again).rejects.toMatchObject(incorrect);
		expect(await accounts.twoFactor.countRecoveryCodes(id)).toBe(9);
		const [fresh = ''] = await accounts.twoFactor.replaceRecoveryCodes(id);
		const former = accounts.enterCode(await firstStep(account), codes[1] ?? '');
		await expect(former).rejects.toMatchObject(incorrect);
		await accounts.enterCode(await firstStep(account), fresh);
	});

	test('a session gets another token with it, and a code confirms it in place of the password', async () => {
		const { accounts, browser, secret, codes } = await enabled();
		const thief = browser.stolen('session');
		halfMinutesLater(40);
		const member = await memberIn(accounts, browser);
		expect(member.confirmed).toBe(false);
		for (const proof of [password, '000000', '']) {
			const wrong = accounts.confirm(browser, member, proof);
			await expect(wrong).rejects.toMatchObject({ code: 'confirmation_required' });
		}
		browser.keep(await accounts.confirm(browser, member, totp(secret)));
		expect((await memberIn(accounts, browser)).confirmed).toBe(true);
		halfMinutesLater(1);
		expect(await accounts.current(thief)).toBeUndefined();
		const again = await memberIn(accounts, browser);
		browser.keep(await accounts.confirm(browser, again, codes[0] ?? ''));
		const used = accounts.confirm(browser, again, codes[0] ?? '');
		await expect(used).rejects.toMatchObject({ code: 'confirmation_required' });
	});

	test('ten codes can be tried with a stolen session in 15 minutes, whatever the address', async () => {
		const { accounts, browser, secret } = await enabled();
		const thief = browser.stolen('session');
		const member = await memberIn(accounts, thief);
		halfMinutesLater(2);
		const outcomes = [];
		for (let count = 0; count < 12; count += 1) {
			thief.address = `198.51.100.${count}`;
			outcomes.push(await accounts.confirm(thief, member, '000000').catch(({ code }) => code));
		}
		const rejected = Array(10).fill('confirmation_required');
		expect(outcomes).toEqual([...rejected, 'rate_limited', 'rate_limited']);
		const late = accounts.confirm(thief, member, totp(secret));
		await expect(late).rejects.toMatchObject({ code: 'rate_limited' });
		// The device of the owner has its own limit.
		await accounts.confirm(browser, member, totp(secret));
	});

	test('of two recovery codes that are sent at once, one is used up', async () => {
		const account = await enabled();
		const { accounts, id, codes } = account;
		const browser = await firstStep(account);
		const entries = codes.slice(0, 2).map((code) => accounts.enterCode(browser, code));
		const outcomes = (await Promise.allSettled(entries)).map(({ status }) => status);
		expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
		expect(await accounts.twoFactor.countRecoveryCodes(id)).toBe(9);
	});

	test('ten codes can be tried in 15 minutes, whatever the address, even with a new log-in', async () => {
		const account = await enabled();
		const { accounts, secret } = account;
		halfMinutesLater(2);
		const outcomes = [];
		for (let count = 0; count < 12; count += 1) {
			const browser = await firstStep(account);
			browser.address = `198.51.100.${count}`;
			outcomes.push(await accounts.enterCode(browser, '000000').catch(({ code }) => code));
		}
		const rejected = Array(10).fill('invalid_request');
		expect(outcomes).toEqual([...rejected, 'rate_limited', 'rate_limited']);
		const stranger = accounts.enterCode(await firstStep(account), totp(secret));
		await expect(stranger).rejects.toMatchObject({ code: 'rate_limited' });
		// The device of the holder has its own limit.
		const { browser } = account;
		browser.forget('session');
		browser.keep(await accounts.logIn(browser, { email: account.email, password }));
		await accounts.enterCode(browser, totp(secret));
	});

	test('a log-in that waits for its code ends with a new password, and after ten minutes', async () => {
		const account = await enabled();
		const { accounts, email, browser: owner, codes } = account;
		const waiting = await firstStep(account);
		const change = { email, current: password, next: 'another password' };
		await accounts.changePassword(owner, change);
		const gone = { code: 'not_found' };
		await expect(accounts.enterCode(waiting, codes[0] ?? '')).rejects.toMatchObject(gone);
		const late = new Browser();
		late.keep(await accounts.logIn(late, { email, password: 'another password' }));
		halfMinutesLater(21);
		await expect(accounts.enterCode(late, codes[0] ?? '')).rejects.toMatchObject(gone);
	});

	test('the token between the steps sets no password and verifies no address', async () => {
		const { id, email } = await enabled();
		const token = await createLink(database.query, { kind: 'log-in', email });
		const gone = { code: 'not_found' };
		const choice = { token, password: 'mine now, forever' };
		const reset = accountsWith().choosePassword(new Browser(), choice);
		await expect(reset).rejects.toMatchObject(gone);
		await expect(verifyAddress(accountsWith().core, { id, email }, token)).rejects.toMatchObject(
			gone,
		);
	});

	test('a link that resets the password does not replace the first step', async () => {
		const { accounts, email, codes } = await enabled();
		const token = await createLink(database.query, { kind: 'reset', email });
		const browser = new Browser();
		browser.keep({ logIn: token });
		const entry = accounts.enterCode(browser, codes[0] ?? '');
		await expect(entry).rejects.toMatchObject({ code: 'not_found' });
	});

	test('the database holds neither secret nor recovery codes in plain text', async () => {
		const { secret, codes } = await enabled();
		const rows = JSON.stringify([
			await database.query.selectFrom('two_factor').selectAll().execute(),
			await database.query.selectFrom('recovery_codes').selectAll().execute(),
		]);
		for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
			expect(rows).not.toContain(text);
		}
	});

	test('with TWO_FACTOR_KEY the database alone does not reveal a secret', async () => {
		const key = 'k'.repeat(32);
		const account = await enabled(accountsWith({ TWO_FACTOR_KEY: key }));
		halfMinutesLater(2);
		const others = { ...account, accounts: accountsWith() };
		const guess = others.accounts.enterCode(await firstStep(others), totp(account.secret));
		await expect(guess).rejects.toThrow();
		await account.accounts.enterCode(await firstStep(account), totp(account.secret));
	});

	test('with another TWO_FACTOR_KEY a recovery code still works, and the log says why codes of the app do not', async () => {
		const account = await enabled(accountsWith({ TWO_FACTOR_KEY: 'k'.repeat(32) }));
		halfMinutesLater(2);
		const lines: string[] = [];
		const log = createLog('info', { write: (line: string) => lines.push(line) });
		const settings = settingsFrom({ TWO_FACTOR_KEY: 'other'.repeat(8) });
		const accounts = accountsOn({ database, settings, log });
		const changed = { ...account, accounts };
		const browser = await firstStep(changed);
		await expect(accounts.enterCode(browser, totp(account.secret))).rejects.toMatchObject({
			code: 'invalid_request',
			details: { errors: [{ path: 'code', message: 'cannot be checked' }] },
		});
		expect(lines.map((line) => JSON.parse(line))).toMatchObject([
			{ level: 'error', account: account.id, msg: expect.stringContaining('TWO_FACTOR_KEY') },
		]);
		browser.keep(await accounts.enterCode(browser, account.codes[0] ?? ''));
		expect(await accounts.current(browser)).toMatchObject({ email: account.email });
	});

	test('a set-up that began with another TWO_FACTOR_KEY starts again', async () => {
		const account = { ...(await verifiedAccount()), sessionId: 'ses_1' };
		const { secret } = await accountsWith().twoFactor.setup(account);
		const { twoFactor } = accountsWith({ TWO_FACTOR_KEY: 'k'.repeat(32) });
		const again = await twoFactor.setup(account);
		expect(again.secret).toMatch(/^[A-Z2-7]{20,}$/);
		expect(again.secret).not.toBe(secret);
		expect((await twoFactor.setup(account)).secret).toBe(again.secret);
	});

	test('is recorded when it is turned on or off, and when its codes are replaced', async () => {
		const { accounts, id } = await enabled();
		await accounts.twoFactor.replaceRecoveryCodes(id);
		await disableTwoFactor(database.query, id);
		await disableTwoFactor(database.query, id);
		const { data } = await listActivity(database.query, { accountId: id }, { limit: 10 });
		expect(data.map(({ kind }) => kind).filter((kind) => kind.startsWith('two_factor'))).toEqual([
			'two_factor.disabled',
			'two_factor.codes_replaced',
			'two_factor.enabled',
		]);
	});

	test('a secret that was not used within an hour is replaced', async () => {
		const { twoFactor } = accountsWith();
		const account = { ...(await verifiedAccount()), sessionId: 'ses_1' };
		const { secret } = await twoFactor.setup(account);
		halfMinutesLater(121);
		expect((await twoFactor.setup(account)).secret).not.toBe(secret);
		const on = await enabled();
		halfMinutesLater(121);
		await on.accounts.enterCode(await firstStep(on), totp(on.secret));
	});

	test('a log-in needs only the password once it is turned off', async () => {
		const { accounts, id, email, codes } = await enabled();
		await disableTwoFactor(database.query, id);
		const browser = new Browser();
		browser.keep(await accounts.logIn(browser, { email, password }));
		expect(await memberIn(accounts, browser)).toMatchObject({ twoFactor: false });
		expect(await accounts.twoFactor.accept(id, codes[0] ?? '')).toBe(false);
	});

	test('the address in the QR code names the service and the account', async () => {
		const { url, secret, email } = await enabled();
		expect(new URL(url).searchParams.get('secret')).toBe(secret);
		expect(decodeURIComponent(url)).toContain(`Board Access 127.0.0.1:${email}`);
	});
});
