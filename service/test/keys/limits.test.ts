import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Backend, inProcess } from '../support/backends.ts';

const path = '/v1/auth/keys';
const mostKeys = 40;

describe.each(inProcess)('limited API keys $name', ({ open }) => {
	let backend: Backend;
	beforeAll(async () => {
		backend = await open({ keysPerAccount: mostKeys });
		// Of the process, so that tests can pass time.
		Object.assign(backend.parts.database.clock, { now: () => Date.now() });
	});
	afterAll(() => backend.close());
	afterEach(() => vi.useRealTimers());

	const send = async (method: string, to: string, json?: unknown, key = backend.apiKey) => {
		const response = await backend.send(to, {
			method,
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			...(json !== undefined && { body: JSON.stringify(json) }),
		});
		return { status: response.status, body: await response.json() };
	};
	const create = async (json: object = {}, key?: string) =>
		(await send('POST', path, json, key)).body;

	test('a key works until it expires', async () => {
		const expires = new Date(Date.now() + 60_000);
		const key = await create({ expires_at: expires.toISOString().replace('Z', '+00:00') });
		expect(key.expires_at).toBe(expires.toISOString());
		expect((await send('GET', '/v1/boards', undefined, key.key)).status).toBe(200);
		vi.useFakeTimers({ toFake: ['Date'], now: expires });
		const { status, body } = await send('GET', '/v1/boards', undefined, key.key);
		expect([status, body.error.code]).toEqual([401, 'api_key_expired']);
	});

	test.each([
		'2001-01-01T00:00:00Z',
		'tomorrow',
		'2999-01-01',
		5,
		'9999-12-31T23:59:59-12:00',
		'9999-12-31T23:59:59.9999-00:01',
	])('a key cannot expire at %j', async (expires_at) => {
		const { status, body } = await send('POST', path, { expires_at });
		expect([status, body.error.param]).toEqual([400, 'expires_at']);
	});

	test('what a leaked key created can be revoked, however much else the key has read', async () => {
		const leaked = await create();
		const child = await create({}, leaked.key);
		const { account_id: accountId } = await backend.parts.database.query
			.selectFrom('api_keys')
			.select('account_id')
			.where('id', '=', leaked.id)
			.executeTakeFirstOrThrow();
		const { promise, resolve } = Promise.withResolvers<void>();
		const { costlyRead } = backend.parts.limits;
		const reads = Array.from({ length: 50 }, () => costlyRead(accountId, () => promise));
		await expect(costlyRead(accountId, () => promise)).rejects.toThrow(/are waiting/);
		expect((await send('DELETE', `${path}/${leaked.id}?created=true`)).status).toBe(200);
		expect((await send('GET', '/v1/boards', undefined, child.key)).status).toBe(401);
		resolve();
		await Promise.all(reads);
	});

	test('a key with the scope boards is valid for boards and leases only', async () => {
		const { key, scope, id } = await create({ scope: 'boards' });
		expect(scope).toBe('boards');
		expect((await send('GET', '/v1/boards', undefined, key)).status).toBe(200);
		const rejected = [
			['GET', path],
			['POST', path, {}],
			['DELETE', `${path}/${id}`],
			['GET', '/v1/admin/base-images'],
			['POST', '/v1/admin/base-images', {}],
		] as const;
		for (const [method, to, json] of rejected) {
			const { status, body } = await send(method, to, json, key);
			expect([status, body.error.code]).toEqual([403, 'scope_insufficient']);
		}
	});

	test('a key has the ID of the key that created it', async () => {
		const first = await create();
		const second = await create({}, first.key);
		expect(second.created_by).toBe(first.id);
		const page = await send('GET', path);
		const listed = page.body.data.find(({ id }: { id: string }) => id === second.id);
		expect(listed.created_by).toBe(first.id);
	});

	test('revoked keys are listed only on request', async () => {
		const { id } = await create();
		await send('DELETE', `${path}/${id}`);
		const ids = async (query: string) =>
			(await send('GET', `${path}${query}`)).body.data.map((key: { id: string }) => key.id);
		expect(await ids('')).not.toContain(id);
		expect(await ids('?include_revoked=false')).not.toContain(id);
		expect(await ids('?include_revoked=true')).toContain(id);
	});

	test('revoking a key can also revoke the keys that it created, and no others', async () => {
		const first = await create();
		const second = await create({}, first.key);
		const third = await create({}, second.key);
		const other = await create();
		await send('DELETE', `${path}/${first.id}?created=true`);
		const works = async ({ key }: { key: string }) =>
			(await send('GET', '/v1/boards', undefined, key)).status === 200;
		expect(await Promise.all([first, second, third, other].map(works))).toEqual([
			false,
			false,
			false,
			true,
		]);
	});

	const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

	test('a key that expires creates keys that expire with it or earlier', async () => {
		const latest = inSeconds(60);
		const leaked = await create({ expires_at: latest });
		const earlier = inSeconds(30);
		expect(await create({}, leaked.key)).toMatchObject({ expires_at: latest });
		expect(await create({ expires_at: latest }, leaked.key)).toMatchObject({ expires_at: latest });
		expect(await create({ expires_at: earlier }, leaked.key)).toMatchObject({
			expires_at: earlier,
		});
		for (const expires_at of [null, inSeconds(61), '2999-01-01T00:00:00Z']) {
			const { status, body } = await send('POST', path, { expires_at }, leaked.key);
			expect([status, body.error?.param]).toEqual([400, 'expires_at']);
			expect(body.error.message).toContain(latest);
		}
	});

	test('a key that expires replaces no unused key that lasts longer', async () => {
		const leaked = await create({ expires_at: inSeconds(60) });
		const post = async (key: string) => {
			const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'lasting' };
			return (await backend.send(path, { method: 'POST', headers })).json();
		};
		const lasting = await post(backend.apiKey);
		expect((await post(leaked.key)).error).toMatchObject({ param: 'expires_at' });
		expect((await send('GET', '/v1/boards', undefined, lasting.key)).status).toBe(200);
	});

	test('a key that is replaced belongs to the key that received it', async () => {
		const [first, second] = [await create(), await create()];
		const post = async (key: string) => {
			const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'received' };
			return (await backend.send(path, { method: 'POST', headers })).json();
		};
		expect(await post(first.key)).toMatchObject({ created_by: first.id });
		expect(await post(second.key)).toMatchObject({ created_by: second.id });
	});

	test('a replaced key keeps label, scope and expiry', async () => {
		const expires_at = '2999-01-01T00:00:00.000Z';
		const replaced = async () => {
			const headers = {
				authorization: `Bearer ${backend.apiKey}`,
				'content-type': 'application/json',
				'idempotency-key': 'limited',
			};
			const body = JSON.stringify({ label: 'nightly', scope: 'boards', expires_at });
			return (await backend.send(path, { method: 'POST', headers, body })).json();
		};
		const first = await replaced();
		const second = await replaced();
		expect(second.id).not.toBe(first.id);
		expect(second).toMatchObject({ label: 'nightly', scope: 'boards', expires_at });
	});

	test('an account cannot exceed its limit of live keys, even with concurrent requests', async () => {
		const attempts = await Promise.all(
			Array.from({ length: mostKeys + 10 }, () => send('POST', path, {})),
		);
		const rejected = attempts.filter(({ status }) => status !== 201);
		expect(rejected[0]?.body.error.code).toBe('key_limit');
		const live = (await send('GET', `${path}?limit=200`)).body.data;
		expect(live).toHaveLength(mostKeys);
		await send('DELETE', `${path}/${live[0].id}`);
		const expires = new Date(Date.now() + 60_000);
		await create({ expires_at: expires.toISOString() });
		expect((await send('POST', path, {})).body.error.code).toBe('key_limit');
		vi.useFakeTimers({ toFake: ['Date'], now: expires.getTime() + 1 });
		expect((await send('POST', path, {})).status).toBe(201);
	});
});
