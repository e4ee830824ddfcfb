// The activity log: each change leaves an entry with who made it, with which credential, from where and when.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccount, vouchForAddress } from '../../../core/src/accounts/store.ts';
import { newAccount } from '../../../core/test/support/databases.ts';
import { totp } from '../../../core/test/support/totp.ts';
import { type Backend, inProcess } from '../support/backends.ts';
import { sendForm, sessionOf } from '../web/support/lab.ts';

interface Entry {
	kind: string;
	account_id: string | null;
	actor_id: string | null;
	actor_email: string | null;
	via: string;
	api_key_id: string | null;
	session_id: string | null;
	address: string | null;
	subject_id: string | null;
	details: Record<string, unknown>;
	count: number;
}

describe.each(inProcess)('activity $name', ({ open }) => {
	let backend: Backend;
	let admin: string;
	beforeAll(async () => {
		backend = await open();
		admin = sessionOf(await sendForm(backend, '/login', backend.login));
	});
	afterAll(() => backend.close());

	const json = async (response: Response) =>
		response.json() as Promise<{ data: Entry[]; id: string }>;
	const latest = async (kind: string) =>
		(await json(await backend.send(`/v1/admin/activity?kind=${kind}&limit=1`))).data[0];
	const send = async (method: string, path: string, body?: object) => {
		const headers = { 'content-type': 'application/json' };
		return backend.send(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
	};

	/** The session has a new token after the password. */
	const promote = async (id = '') => {
		const proof = { confirmation: backend.login.password };
		admin = sessionOf(await sendForm(backend, `/admin/accounts/${id}/promote`, proof, admin));
	};

	test('a change with a key names the key, its account and the address', async () => {
		const created = await json(await send('POST', '/v1/auth/keys', { label: 'ci' }));
		const account = await findAccount(backend.services.database.query, backend.login.email);
		const keyId = (await latest('key.created'))?.api_key_id;
		expect(await latest('key.created')).toMatchObject({
			account_id: account?.id,
			actor_id: account?.id,
			actor_email: backend.login.email,
			via: 'api_key',
			api_key_id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
			session_id: null,
			address: 'in-process',
			subject_id: created.id,
			details: { label: 'ci', scope: 'full' },
			count: 1,
		});
		await send('DELETE', `/v1/auth/keys/${created.id}`);
		await send('DELETE', `/v1/auth/keys/${created.id}`);
		const { data } = await json(await backend.send('/v1/activity?kind=key.revoked'));
		expect(data.filter(({ subject_id }) => subject_id === created.id)).toMatchObject([
			{ api_key_id: keyId },
		]);
	});

	test('a retry that gets another key is recorded as its replacement', async () => {
		const headers = { 'idempotency-key': 'replaced', 'content-type': 'application/json' };
		const retry = async () =>
			json(await backend.send('/v1/auth/keys', { method: 'POST', headers, body: '{}' }));
		const [first, second] = [await retry(), await retry()];
		expect(await latest('key.replaced')).toMatchObject({
			subject_id: second.id,
			details: { replaced: first.id },
		});
	});

	test('a change on a page names the session', async () => {
		const member = await newAccount(backend.services.database);
		await promote(member.id);
		expect(await latest('account.role_changed')).toMatchObject({
			account_id: member.id,
			actor_email: backend.login.email,
			via: 'session',
			session_id: expect.any(String),
			details: { role: 'admin' },
		});
		await sendForm(
			backend,
			`/admin/accounts/${member.id}/credits`,
			{ amount: '7', token: 'a', sure: 'on' },
			admin,
		);
		await sendForm(
			backend,
			`/admin/accounts/${member.id}/credits`,
			{ amount: '7', token: 'a', sure: 'on' },
			admin,
		);
		await sendForm(backend, `/admin/accounts/${member.id}/disable`, {}, admin);
		await sendForm(backend, `/admin/accounts/${member.id}/enable`, {}, admin);
		const { data } = await json(await backend.send(`/v1/admin/activity?account_id=${member.id}`));
		expect(data.map(({ kind }) => kind)).toEqual([
			'account.enabled',
			'account.disabled',
			'credits.granted',
			'account.role_changed',
			'account.created',
		]);
	});

	test('boards, base images and agents leave entries for each change', async () => {
		const since = await latestId();
		const board = await json(
			await send('POST', '/v1/admin/boards', { name: 'log-1', board_type: 'log' }),
		);
		await send('PATCH', `/v1/admin/boards/${board.id}`, { description: 'x' });
		await send('POST', `/v1/admin/boards/${board.id}/maintenance`, { reason: 'dust' });
		await send('POST', `/v1/admin/boards/${board.id}/maintenance`, { on: false, reason: '' });
		const agent = await json(
			await send('POST', '/v1/admin/agents', { name: 'log', board_ids: [board.id] }),
		);
		await send('PATCH', `/v1/admin/agents/${agent.id}`, { board_ids: [] });
		await send('DELETE', `/v1/admin/agents/${agent.id}`);
		await send('DELETE', `/v1/admin/boards/${board.id}`);
		const image = await json(
			await send('POST', '/v1/admin/base-images', {
				action: 'flash',
				board_type: 'log',
				name: 'boot',
				url: 'https://example.com/boot.bin?token=secret-token',
			}),
		);
		await send('PATCH', `/v1/admin/base-images/${image.id}`, { enabled: false });
		await send('DELETE', `/v1/admin/base-images/${image.id}`);
		await send('PUT', '/v1/admin/boards', { boards: 'name,board_type\nlog-2,log' });
		const entries = await entriesSince(since);
		expect(entries.map(({ kind }) => kind)).toEqual([
			'board.created',
			'board.changed',
			'board.maintenance_started',
			'board.maintenance_ended',
			'agent.created',
			'agent.changed',
			'agent.revoked',
			'board.retired',
			'base_image.created',
			'base_image.changed',
			'base_image.deleted',
			'boards.imported',
		]);
		expect(entries[1]).toMatchObject({
			subject_id: board.id,
			details: { fields: ['description'] },
		});
		expect(entries[2]).toMatchObject({ details: { reason: 'dust' } });
		expect(JSON.stringify(entries)).not.toContain('secret-token');
	});

	test('a lease that an administrator ends is recorded for its account, once', async () => {
		const lease = await json(
			await send('POST', '/v1/leases', { board_id: 'brd_esp32-s3-01', minutes: 1 }),
		);
		await send('DELETE', `/v1/admin/leases/${lease.id}`);
		await send('DELETE', `/v1/admin/leases/${lease.id}`);
		const { data } = await json(await backend.send('/v1/activity?kind=lease.ended'));
		expect(data).toMatchObject([{ subject_id: lease.id, details: { board: 'brd_esp32-s3-01' } }]);
	});

	test('log-ins, failed log-ins, log-outs and changed passwords are recorded', async () => {
		const email = 'logs@example.com';
		const { id } = await newAccount(backend.services.database);
		await backend.services.database.query
			.updateTable('accounts')
			.set({ email })
			.where('id', '=', id)
			.execute();
		await sendForm(backend, '/login', { email, password: 'wrong one' });
		await sendForm(backend, '/login', { email, password: 'wrong two' });
		const cookie = sessionOf(
			await sendForm(backend, '/login', { email, password: 'a long password' }),
		);
		const change = { current: 'not it at all', next: 'another long password' };
		await sendForm(backend, '/account/password', change, cookie);
		const changed = await sendForm(
			backend,
			'/account/password',
			{ ...change, current: 'a long password' },
			cookie,
		);
		await sendForm(backend, '/logout', {}, sessionOf(changed));
		const { data } = await json(await backend.send(`/v1/admin/activity?account_id=${id}`));
		expect(data.map(({ kind, count, via }) => [kind, count, via])).toEqual([
			['session.ended', 1, 'session'],
			['session.created', 1, 'session'],
			['password.changed', 1, 'session'],
			['password.refused', 1, 'session'],
			['session.created', 1, 'session'],
			['session.refused', 2, 'visitor'],
			['account.created', 1, 'service'],
		]);
		expect(JSON.stringify(data)).not.toContain('wrong');
		const [ended, loggedInAgain, , , loggedIn] = data;
		const session_id = loggedInAgain?.session_id;
		expect(session_id).toMatch(/^ses_/);
		expect(ended).toMatchObject({ session_id, subject_id: session_id });
		expect(loggedIn?.session_id).toMatch(/^ses_/);
		expect(loggedIn?.session_id).not.toBe(session_id);
	});

	test('an account sees its own entries, and those of others only if they changed it', async () => {
		const login = { email: 'own@example.com', password: 'a long sentence' };
		await sendForm(backend, '/signup', login);
		const own = await findAccount(backend.services.database.query, 'own@example.com');
		await promote(own?.id);
		await sendForm(backend, `/admin/accounts/${own?.id}/demote`, {}, admin);
		const cookie = sessionOf(await sendForm(backend, '/login', login));
		const response = await backend.fetch(`${backend.baseUrl}/v1/activity`, { headers: { cookie } });
		const { data: entries } = await json(response);
		const [loggedIn, ...data] = entries;
		expect(loggedIn).toMatchObject({ kind: 'session.created' });
		expect(data.map(({ kind }) => kind)).toEqual([
			'account.role_changed',
			'account.role_changed',
			'session.created',
			'account.created',
		]);
		expect(data[0]).toMatchObject({
			actor_id: null,
			actor_email: null,
			session_id: null,
			address: null,
		});
		expect(data[2]).toMatchObject({ actor_email: 'own@example.com', address: 'in-process' });
		const all = await backend.fetch(`${backend.baseUrl}/v1/admin/activity`, {
			headers: { cookie },
		});
		expect(all.status).toBe(403);
	});

	const ownEntries = async (cookie: string) => {
		const response = await backend.fetch(`${backend.baseUrl}/v1/activity`, { headers: { cookie } });
		return (await json(response)).data;
	};

	test('two-factor authentication, ended sessions and a deleted account are recorded', async () => {
		const { query } = backend.services.database;
		const login = { email: 'traces@example.com', password: 'a long sentence' };
		const cookie = sessionOf(await sendForm(backend, '/signup', login));
		const id = (await findAccount(query, login.email))?.id ?? '';
		await vouchForAddress(backend.services, id);
		const since = (await ownEntries(cookie)).length;
		const loggedIn = sessionOf(await sendForm(backend, '/login', login));
		const proof = { confirmation: login.password };
		const page = await sendForm(backend, '/account/two-factor', proof, loggedIn);
		const other = sessionOf(page);
		const secret = /id="secret"[^>]*>([A-Z2-7]+)/.exec(await page.text())?.[1] ?? '';
		await sendForm(backend, '/account/sessions/end-others', {}, other);
		const enabled = await sendForm(backend, '/account/two-factor', { code: totp(secret) }, other);
		const [code = ''] = /[a-z2-7]{4}(-[a-z2-7]{2,4}){6}/.exec(await enabled.text()) ?? [];
		const fields = { confirmation: code };
		await sendForm(backend, '/account/two-factor/off', fields, sessionOf(enabled));
		const mine = await query
			.selectFrom('sessions')
			.select('id')
			.where('account_id', '=', id)
			.executeTakeFirstOrThrow();
		const again = sessionOf(await sendForm(backend, '/login', login));
		await sendForm(backend, `/account/sessions/${mine.id}/end`, {}, again);
		await sendForm(backend, '/account/delete', { confirmation: login.password }, again);
		const { data } = await json(await backend.send(`/v1/admin/activity?account_id=${id}`));
		expect(data.slice(0, -since).map(({ kind, via }) => [kind, via])).toEqual([
			['account.deleted', 'session'],
			['session.ended', 'session'],
			['session.created', 'session'],
			['two_factor.disabled', 'session'],
			['two_factor.enabled', 'session'],
			['session.ended', 'session'],
			['session.created', 'session'],
		]);
	});

	test('a failed log-in to another account reveals nothing to the logged-in account', async () => {
		const password = 'a long sentence';
		const cookie = sessionOf(
			await sendForm(backend, '/signup', { email: 'curious@example.com', password }),
		);
		const before = await ownEntries(cookie);
		const { id, email } = await newAccount(backend.services.database);
		for (const named of [email, 'nobody@example.com']) {
			await sendForm(backend, '/login', { email: named, password: 'wrong one' }, cookie);
		}
		expect(await ownEntries(cookie)).toEqual(before);
		const { data } = await json(await backend.send(`/v1/admin/activity?account_id=${id}&limit=1`));
		expect(data).toMatchObject([{ kind: 'session.refused', via: 'visitor', actor_id: null }]);
	});

	const latestId = async () =>
		(await json(await backend.send('/v1/admin/activity?limit=1'))).data[0];
	const entriesSince = async (since: Entry | undefined) => {
		const { data } = await json(await backend.send('/v1/admin/activity?limit=50'));
		return data
			.slice(
				0,
				data.findIndex((entry) => same(entry, since)),
			)
			.reverse();
	};
});

function same(entry: Entry, other: Entry | undefined) {
	return JSON.stringify(entry) === JSON.stringify(other);
}
