// The owner of an address resets the password of the account that somebody else has signed up with it.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, findAccount, vouchForAddress } from '../../src/accounts/store.ts';
import { setUpTwoFactor } from '../../src/accounts/two-factor.ts';
import { listActivity } from '../../src/activity/store.ts';
import type { Events } from '../../src/core.ts';
import { grantCredits } from '../../src/credits/store.ts';
import { timeIn } from '../../src/database/clock.ts';
import { findKeyOwner } from '../../src/keys/lookup.ts';
import { issueKey } from '../../src/keys/store.ts';
import { shareLease } from '../../src/leases/sharing/store.ts';
import { changeEmail } from '../../src/members/email.ts';
import { createLink, findLink } from '../../src/members/links.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';
import { type Lab, openLab, requestOf } from '../support/lab.ts';
import { totp } from '../support/totp.ts';
import { type Accounts, accountsOn, Browser } from '../support/visitor.ts';

const [password, next] = ['a long password', 'another long password'];

/** What a takeover does with each table that names an account; the tests below show it. */
const decided = {
	accounts: 'without two-factor authentication; the role and the credits were given to the address',
	api_keys: 'revoked',
	idempotency: 'deleted',
	favorite_boards: 'never has a row',
	saved_filters: 'never has a row',
	two_factor: 'deleted',
	recovery_codes: 'deleted',
	credentials: 'replaced by every reset',
	sessions: 'deleted by every reset',
	known_devices: 'deleted by every reset',
	account_links: 'deleted by every reset, a change of the address among them',
	leases: 'ended and charged',
	channels: 'end with the key, the session or the lease',
	boards: 'returned with the lease',
	files: 'deleted with what else its leases have',
	file_contents: 'deleted',
	lease_shares: 'deleted for its leases; what others share with the address is for its owner',
	lease_actions: 'deleted for its leases; what it requested of others is theirs',
	credit_entries: 'kept',
	activity: 'kept, so that the owner can read what was done',
};

test('every table that names an account is decided', async () => {
	const { query, close } = await readyDatabase('SQLite');
	const { rows } = await sql<{ name: string }>`
		select distinct tables.name from sqlite_master as tables, pragma_table_info(tables.name) as columns
		where columns.name like '%account%' or columns.name like '%email%' or columns.name like '%actor%'
			or columns.name in ('owner', 'requested_by', 'created_by')
		union select tables.name from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
		where keys."table" = 'accounts'
		union select 'accounts'`.execute(query);
	await close();
	expect(Object.keys(decided).sort()).toEqual(rows.map(({ name }) => name).sort());
});

describe.each(databaseKinds)('on %s', (kind) => {
	let lab: Lab;
	let accounts: Accounts;
	let ended: Events | undefined;
	let made = 0;
	beforeAll(async () => {
		lab = await openLab(kind, { boards: unoBoards(2, { credits_per_minute: 2 }) });
		const dispatch = async (events: Events) => {
			ended = events;
		};
		accounts = accountsOn({ ...lab.core, dispatch });
	});
	afterAll(() => lab.close());

	/** Somebody with an account whose address nobody has verified yet. */
	const signUp = async () => {
		made += 1;
		const email = `owner-${made}@example.com`;
		const { id } = await createAccount(lab.query, { email, password });
		const { id: keyId, key } = await issueKey(lab.query, { accountId: id });
		return { id, email, key, ...lab.as({ caller: { accountId: id, keyId } }) };
	};
	const logIn = async (email: string, password: string) => {
		const browser = new Browser();
		const entry = await accounts.logIn(browser, { email, password });
		browser.keep(entry);
		return { browser, entry, member: await accounts.current(browser) };
	};
	const reset = async (email: string) => {
		const token = await createLink(lab.query, { kind: 'reset', email });
		ended = undefined;
		await accounts.choosePassword(new Browser(), { token, password: next });
	};
	/** As it is for an account whose address was verified when it was turned on. */
	const turnOnTwoFactor = async (account: { id: string; email: string }) => {
		const { query } = lab;
		const { verified_at } = (await findAccount(query, account.email)) ?? {};
		const verify = (time: string | null | undefined) =>
			query.updateTable('accounts').set({ verified_at: time }).where('id', '=', account.id);
		await verify(timeIn(query)).execute();
		const { browser, member } = await logIn(account.email, password);
		if (!member) throw new Error('There is no session');
		const { secret } = await setUpTwoFactor(lab.core, member);
		await accounts.enableTwoFactor(browser, member, totp(secret));
		await verify(verified_at).execute();
		return browser;
	};
	const rowsOf = (table: 'idempotency' | 'two_factor' | 'recovery_codes' | 'known_devices') =>
		lab.query.selectFrom(table).select('account_id').execute();

	test.each([
		['was never verified', false],
		['an administrator has marked as verified', true],
	])('nothing remains of whoever had an address that %s', async (_, vouched) => {
		const { query } = lab;
		const stranger = await signUp();
		const { id, email } = stranger;
		if (vouched) await vouchForAddress(lab.core, id);
		await grantCredits(lab.core, { account_id: id, amount: 1000 });
		const browser = await turnOnTwoFactor(stranger);
		const claim = { account_id: id, idempotency_key: 'deploy', request_hash: '' };
		const wanted = { board_type: 'uno', minutes: 10, label: 'mine' };
		const active = await stranger.lease(wanted, claim);
		const queued = await stranger.lease({ board_id: active.board_id ?? '', wait_seconds: 60 });
		expect([active.status, queued.status]).toEqual(['active', 'queued']);
		const share = { email: 'friend@example.com', access: 'type' } as const;
		const request = requestOf({ ids: { id: active.id }, input: share });
		await shareLease(lab.core, stranger.caller, request);
		const verification = await createLink(query, { kind: 'verify', email });

		await reset(email);
		expect(ended?.leases?.map(({ id }) => id).sort()).toEqual([active.id, queued.id].sort());
		const leases = await query
			.selectFrom('leases')
			.select(['id', 'end_reason'])
			.where('account_id', '=', id)
			.execute();
		expect(leases.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toMatchObject(
			[
				{ id: active.id, end_reason: 'released' },
				{ id: queued.id, end_reason: 'cancelled' },
			].sort((one, other) => (one.id < other.id ? -1 : 1)),
		);
		expect(await findKeyOwner(lab.core.database, stranger.key)).toMatchObject({
			revokedAt: expect.any(String),
		});
		expect(await accounts.current(browser)).toBeUndefined();
		await expect(findLink(lab.core, verification, ['verify'])).rejects.toMatchObject({
			code: 'not_found',
		});
		for (const table of ['idempotency', 'two_factor', 'recovery_codes', 'known_devices'] as const) {
			expect(await rowsOf(table)).not.toContainEqual({ account_id: id });
		}
		const shares = query.selectFrom('lease_shares').selectAll().where('lease_id', '=', active.id);
		expect(await shares.execute()).toEqual([]);
		const board = query.selectFrom('boards').select('lease_id').where('id', '=', active.board_id);
		expect(await board.executeTakeFirst()).toEqual({ lease_id: null });
		expect(await findAccount(query, email)).toMatchObject({
			balance: 998,
			held_credits: 0,
			vouched: 0,
		});

		const { member } = await logIn(email, next);
		expect(member).toMatchObject({ id, twoFactor: false });
		const { data } = await listActivity(
			query,
			{ accountId: id, kind: 'password.reset' },
			{ limit: 1 },
		);
		expect(data).toMatchObject([{ details: { keys: 1, leases: 2 } }]);
	});

	test('a reset by mail leaves the second factor and the leases of an account whose owner is known', async () => {
		const owner = await signUp();
		const { id, email } = owner;
		await reset(email);
		const { id: keyId } = await issueKey(lab.query, { accountId: id });
		const again = lab.as({ caller: { accountId: id, keyId } });
		await grantCredits(lab.core, { account_id: id, amount: 1000 });
		const { browser, member } = await logIn(email, next);
		if (!member) throw new Error('There is no session');
		const { secret } = await setUpTwoFactor(lab.core, member);
		await accounts.enableTwoFactor(browser, member, totp(secret));
		const lease = await again.lease({ board_type: 'uno' });

		await reset(email);
		expect(ended).toBeUndefined();
		expect((await logIn(email, next)).entry).toEqual({ logIn: expect.any(String) });
		expect((await again.read(lease.id)).status).toBe('active');
		await again.release(lease.id);
	});

	test('two-factor authentication needs a verified address', async () => {
		const { email } = await signUp();
		const { member } = await logIn(email, password);
		if (!member) throw new Error('There is no session');
		const setUp = setUpTwoFactor(lab.core, member);
		await expect(setUp).rejects.toMatchObject({
			message: 'Two-factor authentication needs a verified email address.',
		});
	});

	test('who is about to turn it on while the account is taken over does not lock its owner out', async () => {
		const { id, email } = await signUp();
		await vouchForAddress(lab.core, id);
		const { browser, member } = await logIn(email, password);
		if (!member) throw new Error('There is no session');
		const { secret } = await setUpTwoFactor(lab.core, member);
		const [entered] = await Promise.allSettled([
			accounts.enableTwoFactor(browser, member, totp(secret)),
			reset(email),
		]);
		expect(entered.status).toMatch(/^(fulfilled|rejected)$/);
		expect((await logIn(email, next)).entry.logIn).toBeUndefined();
	});

	test.each([
		['by an administrator', true, 1],
		['by a link', false, 0],
	])('an address that is changed %s', async (_, byAdministrator, vouched) => {
		const { id, email } = await signUp();
		await vouchForAddress(lab.core, id);
		const changed = `changed-${email}`;
		await changeEmail(lab.core, { id, email }, { next: changed, byAdministrator });
		expect(await findAccount(lab.query, changed)).toMatchObject({ vouched });
		// Once it is known whose it is, a further change by an administrator does not make that uncertain.
		await reset(changed);
		await changeEmail(lab.core, { id, email: changed }, { next: email, byAdministrator });
		expect(await findAccount(lab.query, email)).toMatchObject({ vouched: 0 });
	});
});
