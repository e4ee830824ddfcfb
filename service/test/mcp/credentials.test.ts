// Who may use /mcp: only a key says who acts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey, revokeKey } from '../../../core/src/keys/store.ts';
import { newAccount } from '../../../core/test/support/databases.ts';
import { versions } from '../../../test/support/coding-agent.ts';
import { type Backend, backends } from '../support/backends.ts';
import { sessionOf } from '../web/support/lab.ts';
import { callOf, connect, message, post, withKey } from './support/agents.ts';

describe.each(backends)('$name', ({ open }) => {
	let backend: Backend;
	beforeAll(async () => {
		backend = await open();
	});
	afterAll(() => backend.close());

	const list = message('tools/list');
	const codeOf = async (headers: Record<string, string>) => {
		const { status, headers: sent, body } = await post(backend, list, { headers });
		expect(body.error).toMatchObject({
			message: expect.stringMatching(/\w+\.$/),
			request_id: sent.get('x-request-id'),
		});
		return { status, code: body.error.code, asks: sent.get('www-authenticate') };
	};
	const rejected = (code: string) => ({ status: 401, code, asks: 'Bearer error="invalid_token"' });
	const logIn = async () => {
		const { baseUrl, login, fetch } = backend;
		const headers = { origin: baseUrl, accept: 'text/html' };
		const form = { method: 'POST', headers, body: new URLSearchParams(login) };
		return sessionOf(await fetch(`${baseUrl}/login`, { ...form, redirect: 'manual' }));
	};
	const account = async () => {
		const { query } = backend.services.database;
		const { id: accountId } = await newAccount(backend.services.database);
		return { accountId, query, ...(await issueKey(query, { accountId })) };
	};

	test('without a key, nothing is served', async () => {
		const asked = { status: 401, code: 'credentials_missing', asks: 'Bearer' };
		expect(await codeOf({})).toEqual(asked);
		for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
			expect(await post(backend, undefined, { method })).toMatchObject({ status: 401 });
		}
	});

	test.each(['key_123', 'Bearer', 'Bearer key_123', 'Basic dXNlcjpwYXNz', 'Bearer a b'])(
		'the header "%s" is no key',
		async (authorization) => {
			expect(await codeOf({ authorization })).toEqual(rejected('api_key_malformed'));
		},
	);

	test('an unknown, a revoked and an expired key are refused, and so is one of a disabled account', async () => {
		expect(await codeOf(withKey(`key_${'0'.repeat(48)}`))).toEqual(rejected('api_key_invalid'));
		const { accountId, id, key, query } = await account();
		expect(await post(backend, list, { headers: withKey(key) })).toMatchObject({ status: 200 });
		const past = new Date(Date.now() - 60_000).toISOString();
		await query.updateTable('api_keys').set({ expires_at: past }).where('id', '=', id).execute();
		expect(await codeOf(withKey(key))).toEqual(rejected('api_key_expired'));
		await revokeKey(query, { accountId, id });
		expect(await codeOf(withKey(key))).toEqual(rejected('api_key_revoked'));
		const other = await account();
		const disabled = query.updateTable('accounts').set({ disabled_at: past });
		await disabled.where('id', '=', other.accountId).execute();
		expect(await codeOf(withKey(other.key))).toEqual(rejected('api_key_revoked'));
	});

	test.each(versions)('a client of $version learns that its key is unknown', async ({ mode }) => {
		const connecting = connect(backend, `key_${'1'.repeat(48)}`, { mode });
		await expect(connecting).rejects.toThrow(/did not issue this API key|requires authorization/);
	});

	test('a key that is revoked during a session ends it', async () => {
		const { accountId, id, key, query } = await account();
		const agent = await connect(backend, key);
		await agent.use('leases');
		await revokeKey(query, { accountId, id });
		await expect(agent.call('leases')).rejects.toThrow('revoked');
	});

	test('a session of the pages is no credential', async () => {
		const cookie = await logIn();
		expect(cookie).not.toBe('');
		const own = { cookie, origin: backend.baseUrl };
		expect(await codeOf(own)).toMatchObject({ status: 401, code: 'credentials_missing' });
		const page = await backend.fetch(`${backend.baseUrl}/v1/account`, { headers: own });
		expect(page.status).toBe(200);
	});

	test('a cookie beside a key does not change who acts', async () => {
		const cookie = await logIn();
		const { accountId, key, query } = await account();
		const { data } = await (await backend.send('/v1/boards?status=available')).json();
		const call = callOf('lease_board', { boards: [data[0].id] });
		const { body } = await post(backend, call, { headers: { ...withKey(key), cookie } });
		const [{ lease_id }] = body.result.structuredContent.leases;
		const lease = query.selectFrom('leases').select('account_id').where('id', '=', lease_id);
		expect(await lease.executeTakeFirst()).toEqual({ account_id: accountId });
	});
});
