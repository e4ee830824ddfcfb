import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { type Backend, inProcess } from '../support/backends.ts';

const path = '/v1/auth/keys';

describe.each(inProcess)('limited API keys $name', ({ kind, open }) => {
	const rule = ruleTest(kind);
	let backend: Backend;
	beforeAll(async () => {
		backend = await open();
		// Of the process, so that tests can pass time.
		Object.assign(backend.services.database.clock, { now: () => Date.now() });
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

	rule('a key works until it expires', async () => {
		const expires = new Date(Date.now() + 60_000);
		const key = await create({ expires_at: expires.toISOString().replace('Z', '+00:00') });
		expect(key.expires_at).toBe(expires.toISOString());
		expect((await send('GET', '/v1/boards', undefined, key.key)).status).toBe(200);
		vi.useFakeTimers({ toFake: ['Date'], now: expires });
		const { status, body } = await send('GET', '/v1/boards', undefined, key.key);
		expect([status, body.error.code]).toEqual([401, 'api_key_expired']);
	});

	rule.each([
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
		const other = await create();
		const { account_id: accountId } = await backend.services.database.query
			.selectFrom('api_keys')
			.select('account_id')
			.where('id', '=', leaked.id)
			.executeTakeFirstOrThrow();
		const { promise, resolve } = Promise.withResolvers<void>();
		const { costlyRead } = backend.services.limits;
		const reads = Array.from({ length: 50 }, () => costlyRead(accountId, () => promise));
		await expect(costlyRead(accountId, () => promise)).rejects.toThrow(/are waiting/);
		expect((await send('DELETE', `${path}/${leaked.id}?created=true`)).status).toBe(200);
		expect((await send('GET', '/v1/boards', undefined, child.key)).status).toBe(401);
		expect((await send('GET', '/v1/boards', undefined, other.key)).status).toBe(200);
		resolve();
		await Promise.all(reads);
	});

	rule('a key has the ID of the key that created it', async () => {
		const first = await create();
		const second = await create({}, first.key);
		expect(second.created_by).toBe(first.id);
		const page = await send('GET', path);
		const listed = page.body.data.find(({ id }: { id: string }) => id === second.id);
		expect(listed.created_by).toBe(first.id);
	});

	rule('revoked keys are listed only on request', async () => {
		const { id } = await create();
		await send('DELETE', `${path}/${id}`);
		const ids = async (query: string) =>
			(await send('GET', `${path}${query}`)).body.data.map((key: { id: string }) => key.id);
		expect(await ids('')).not.toContain(id);
		expect(await ids('?include_revoked=false')).not.toContain(id);
		expect(await ids('?include_revoked=true')).toContain(id);
	});
});
