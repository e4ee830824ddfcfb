import { inspect } from 'node:util';
import { type ApiKey, type FetchInit, InputError } from 'board-access';
import { describe, expect, it } from 'vitest';
import { apiKey, createClient, errorOf, otherKey, useMockedService } from '../support/client.ts';

const service = useMockedService();

const wire = {
	id: 'key_0a1b2c3d4e5f60718293a4b5',
	label: 'ci',
	hint: 'key_fedc…3210',
	created_at: '2026-01-02T03:04:05.678Z',
	last_used_at: null,
	revoked_at: null,
};
const created = { ...wire, key: otherKey };

describe('creating a key', () => {
	it('sends the label and returns the key', async () => {
		service().post('/v1/auth/keys', { label: 'ci' }).reply(201, created);
		const key = await createClient().keys.create({ label: 'ci' });
		expect(key).toEqual({
			id: wire.id,
			label: 'ci',
			hint: wire.hint,
			createdAt: wire.created_at,
			lastUsedAt: null,
			revokedAt: null,
			key: otherKey,
		});
	});

	it('needs no label', async () => {
		service().post('/v1/auth/keys', {}).twice().reply(201, { id: 'key_1', key: otherKey });
		const client = createClient();
		expect(await client.keys.create()).toEqual({ id: 'key_1', key: otherKey });
		expect(await client.keys.create({ label: undefined })).toEqual({ id: 'key_1', key: otherKey });
	});

	it('rejects a misspelled field before anything is sent', async () => {
		const error = await errorOf(createClient().keys.create({ lable: 'ci' } as object));
		expect(error).toHaveProperty('message', 'lable: is not a field (did you mean label?)');
	});

	it('rejects a label that is not text before anything is sent', async () => {
		const error = await errorOf(createClient().keys.create({ label: 5 as never }));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			issues: [{ path: 'label', message: 'must be of type string' }],
			outcome: 'not-sent',
			attempts: [],
		});
	});

	it('sends scope and expiry, a date as text, and omits null', async () => {
		const expiresAt = new Date('2026-12-31T23:59:59Z');
		service()
			.post('/v1/auth/keys', { scope: 'boards', expires_at: '2026-12-31T23:59:59.000Z' })
			.reply(201, created);
		await createClient().keys.create({ label: null, scope: 'boards', expiresAt });
	});

	it('accepts the fields of a returned record', async () => {
		service().post('/v1/auth/keys', { label: 'ci' }).reply(201, created);
		const old = { id: 'key_1', label: 'ci', expiresAt: null } as ApiKey;
		await createClient().keys.create({ label: old.label, expiresAt: old.expiresAt });
	});

	it('rejects a date that is not valid', async () => {
		const expiresAt = new Date('never');
		expect(await errorOf(createClient().keys.create({ expiresAt }))).toMatchObject({
			name: 'InputError',
			issues: [{ path: 'expiresAt' }],
		});
	});

	it('leaves the rules for labels to the service', async () => {
		service().post('/v1/auth/keys', { label: '  ' }).reply(201, created);
		await createClient().keys.create({ label: '  ' });
	});

	it('shows the key to code, but not in logs', async () => {
		service().post('/v1/auth/keys').reply(201, created);
		const key = await createClient().keys.create();
		expect(inspect(key)).toContain("key: '[shown once]'");
		expect(inspect({ nested: [key] }, { depth: 5, showHidden: true })).not.toContain(otherKey);
		expect(JSON.parse(JSON.stringify(key)).key).toBe(otherKey);
		expect({ ...key }.key).toBe(otherKey);
	});

	it('fails when the response contains no key', async () => {
		service().post('/v1/auth/keys').reply(201, wire);
		expect(await errorOf(createClient().keys.create())).toMatchObject({
			name: 'ResponseError',
			message: 'The response does not have the expected form at key: must be of type string',
			outcome: 'unknown',
		});
	});

	it.each(['', 'token', `${otherKey}\nLD_PRELOAD=/tmp/x.so`, `${otherKey} `])(
		'rejects a response with an invalid key: %j',
		async (key) => {
			service()
				.post('/v1/auth/keys')
				.reply(201, { ...created, key });
			const error = await errorOf(createClient().keys.create());
			expect(error).toMatchObject({ name: 'ResponseError', outcome: 'unknown' });
			expect(inspect(error)).not.toContain(otherKey);
		},
	);

	it('sends the idempotency key', async () => {
		service().post('/v1/auth/keys').matchHeader('idempotency-key', 'run 7').reply(201, created);
		await createClient().keys.create({}, { idempotencyKey: 'run 7' });
	});

	it.each(['', 'a\nb', 'ü', 'x'.repeat(256), 5 as never])(
		'refuses the idempotency key %j',
		async (idempotencyKey) => {
			expect(await errorOf(createClient().keys.create({}, { idempotencyKey }))).toMatchObject({
				name: 'InputError',
				issues: [{ path: 'idempotencyKey' }],
			});
		},
	);

	it('is revoked at the end of an await using block', async () => {
		service().post('/v1/auth/keys').reply(201, created);
		service().delete(`/v1/auth/keys/${wire.id}`).reply(204);
		const client = createClient();
		{
			await using key = await client.keys.create();
			expect(key.id).toBe(wire.id);
		}
	});
});

describe('listing keys', () => {
	it('returns records', async () => {
		service()
			.get('/v1/auth/keys')
			.reply(200, { data: [wire], next_cursor: null });
		expect(await createClient().keys.list()).toEqual([
			expect.objectContaining({ id: wire.id, createdAt: wire.created_at, lastUsedAt: null }),
		]);
	});

	it('requests revoked keys only with includeRevoked', async () => {
		service().get('/v1/auth/keys').query({ include_revoked: 'true', limit: '5' }).reply(200, []);
		await createClient().keys.list({ includeRevoked: true, pageSize: 5 });
	});

	it('rejects an invalid filter', async () => {
		const list = createClient().keys.list({ includeRevoked: 'yes' as never });
		expect(await errorOf(list)).toBeInstanceOf(InputError);
	});
});

describe('revoking a key', () => {
	it.each([
		[200, { ...wire, revoked_at: '2026-02-03T04:05:06.789Z' }, '2026-02-03T04:05:06.789Z'],
		[200, '', undefined],
		[200, {}, undefined],
		[200, { revoked_at: null }, undefined],
		[202, '', undefined],
		[202, { status: 'queued' }, undefined],
		[204, '', undefined],
	])('succeeds on %i with %j', async (status, body, revokedAt) => {
		service().delete(`/v1/auth/keys/${wire.id}`).reply(status, body);
		const result = await createClient().keys.revoke(wire.id);
		expect(result).toEqual({ id: wire.id, ...(revokedAt && { revokedAt }) });
	});

	it('does not treat a web page as success', async () => {
		service().delete(`/v1/auth/keys/${wire.id}`).reply(200, '<html>Log in to the network</html>');
		expect(await errorOf(createClient().keys.revoke(wire.id))).toMatchObject({
			name: 'ResponseError',
			message: 'The response is a web page, not JSON',
		});
	});

	it.each([
		'',
		'key_',
		'1234',
		'KEY_1234',
		'key_a/b',
		'key_a\\b',
		'key_..',
		'key_.',
		'key_../boards',
		'key_a b',
		'key_a\u0000',
		undefined as never,
	])('refuses the id %j before anything is sent', async (id) => {
		const error = await errorOf(createClient().keys.revoke(id));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ issues: [{ path: 'id' }], outcome: 'not-sent' });
	});

	it.each([apiKey, ` ${apiKey}\n`])('rejects a full key, and does not repeat it', async (id) => {
		const error = await errorOf(createClient().keys.revoke(id));
		expect(error).toMatchObject({ name: 'InputError', hint: expect.stringContaining('keys id') });
		expect(inspect(error)).not.toContain(apiKey);
	});

	it.each([
		['key_a?b#c', 'key_a%3Fb%23c'],
		['key_ü', 'key_%C3%BC'],
		['key_a%2Fb', 'key_a%252Fb'],
	])('writes the id %s so that it stays one segment of the path', async (id, segment) => {
		let path = '';
		const fetch = async (url: string) => {
			path = new URL(url).pathname;
			return new Response(null, { status: 204 });
		};
		await createClient({ fetch }).keys.revoke(id);
		expect(path).toBe(`/v1/auth/keys/${segment}`);
	});
});

describe('rotating a key', () => {
	const old = 'key_ffffffffffffffffffffffff';
	const oldKey = { ...wire, id: old, label: 'deploy', scope: 'full', expires_at: null };
	const newPath = `/v1/auth/keys/${wire.id}`;
	const bearer = (key: string) => service().matchHeader('authorization', `Bearer ${key}`);
	const listed = (key: object = oldKey) =>
		bearer(apiKey).get('/v1/auth/keys').reply(200, [wire, key]);
	/** The old key is listed, and the new one is created. */
	const replaceable = () => {
		listed();
		service().post('/v1/auth/keys').reply(201, created);
	};
	const revokedWithNewKey = () => bearer(otherKey).delete(`/v1/auth/keys/${old}`);

	it('creates a key, then revokes the old key with it', async () => {
		listed();
		bearer(apiKey).post('/v1/auth/keys', { label: 'nightly', scope: 'full' }).reply(201, created);
		bearer(otherKey).delete(`/v1/auth/keys/${old}`).reply(200, {});
		const key = await createClient().keys.rotate(old, { label: 'nightly', scope: 'full' });
		expect(key).toMatchObject({ id: wire.id, key: otherKey, replaced: { id: old } });
		expect(inspect(key)).not.toContain(otherKey);
	});

	it.each([
		{ scope: 'full', expires_at: '2027-01-02T03:04:05.678Z' },
		{ scope: 'boards', expires_at: null },
	])('keeps label, scope and expiry of the old key: %j', async (limits) => {
		listed({ ...oldKey, ...limits });
		const { expires_at, ...kept } = { label: 'deploy', ...limits };
		service()
			.post('/v1/auth/keys', { ...kept, ...(expires_at && { expires_at }) })
			.reply(201, created);
		revokedWithNewKey().reply(200, {});
		await createClient().keys.rotate(old);
	});

	it('revokes the old key itself when the scope of the new one does not allow it', async () => {
		listed({ ...oldKey, scope: 'boards' });
		service().post('/v1/auth/keys').reply(201, created);
		revokedWithNewKey().reply(403, {});
		bearer(apiKey).delete(`/v1/auth/keys/${old}`).reply(200, {});
		expect(await createClient().keys.rotate(old)).toMatchObject({ replaced: { id: old } });
	});

	it('creates nothing when the old key cannot be looked up', async () => {
		service()
			.get('/v1/auth/keys')
			.reply(401, { error: { code: 'api_key_revoked', message: 'x' } });
		expect(await errorOf(createClient().keys.rotate(old))).toMatchObject({
			code: 'api_key_revoked',
		});
	});

	it('creates nothing for a key that is revoked already, or of another account', async () => {
		service().get('/v1/auth/keys').reply(200, [wire]);
		expect(await errorOf(createClient().keys.rotate(old))).toMatchObject({
			name: 'InputError',
			message: 'id: is revoked, or not a key of this account',
		});
	});

	it('creates nothing for an invalid id', async () => {
		expect(await errorOf(createClient().keys.rotate('x', { label: 'y' }))).toBeInstanceOf(
			InputError,
		);
	});

	it('says that a new key may exist when the response to the creation is lost', async () => {
		listed();
		service().post('/v1/auth/keys').reply(502, '');
		expect(await errorOf(createClient().keys.rotate(old))).toMatchObject({
			status: 502,
			hint: expect.stringContaining('A new key may exist'),
		});
	});

	it('revokes the new key when it does not work, and keeps the old one', async () => {
		replaceable();
		revokedWithNewKey().reply(401, { message: 'no' });
		bearer(apiKey).delete(newPath).reply(200, {});
		const error = await errorOf(createClient().keys.rotate(old));
		expect(error).toMatchObject({ name: 'ApiError', status: 401 });
		expect(error).not.toHaveProperty('hint', expect.stringContaining('revoke it yourself'));
	});

	it('revokes the new key when the old one cannot be revoked', async () => {
		replaceable();
		revokedWithNewKey().reply(404, { message: 'no' });
		bearer(apiKey).delete(newPath).reply(200, {});
		expect(await errorOf(createClient().keys.rotate(old))).toMatchObject({ status: 404 });
	});

	it('keeps the new key when it cannot know whether the old one was revoked', async () => {
		replaceable();
		service().delete(`/v1/auth/keys/${old}`).thrice().reply(502, '');
		const key = await createClient().keys.rotate(old);
		expect(key.key).toBe(otherKey);
		expect(key.replaced).toBeUndefined();
	});

	it('is not stopped by an abort between the two keys', async () => {
		const abort = new AbortController();
		replaceable();
		service()
			.delete(`/v1/auth/keys/${old}`)
			.reply(() => {
				abort.abort();
				return [200, { revoked_at: '2026-02-03T04:05:06.789Z' }];
			});
		const { signal } = abort;
		const key = await createClient().keys.rotate(old, {}, { signal });
		expect(key.replaced).toEqual({ id: old, revokedAt: '2026-02-03T04:05:06.789Z' });
	});

	it('revokes the new key with the new key when the old one no longer works', async () => {
		replaceable();
		service().delete(`/v1/auth/keys/${old}`).reply(400, {});
		bearer(apiKey).delete(newPath).reply(401, {});
		bearer(otherKey).delete(newPath).reply(200, {});
		expect(await errorOf(createClient().keys.rotate(old))).toMatchObject({ status: 400 });
	});

	const leftBehind = `The new key ${wire.id} may still be valid: revoke it yourself.`;

	it('reports a key that is left behind', async () => {
		replaceable();
		revokedWithNewKey().reply(401, { message: 'no' });
		service().delete(newPath).twice().reply(403, {});
		expect(await errorOf(createClient().keys.rotate(old))).toMatchObject({
			status: 401,
			hint: leftBehind,
		});
	});

	it('creates nothing when the caller aborts before, and keeps the reason', async () => {
		const abort = new AbortController();
		bearer(apiKey)
			.get('/v1/auth/keys')
			.reply(() => {
				abort.abort('changed my mind');
				return [200, [oldKey]];
			});
		const { signal } = abort;
		expect(await errorOf(createClient().keys.rotate(old, {}, { signal }))).toBe('changed my mind');
	});

	it('names only the creation with the idempotency key', async () => {
		const named: string[] = [];
		const fetch = async (_url: string, { method, headers }: FetchInit) => {
			if ('idempotency-key' in headers) named.push(method);
			return method === 'POST' ? Response.json(created) : Response.json([oldKey]);
		};
		await createClient({ fetch }).keys.rotate(old, {}, { idempotencyKey: 'once' });
		expect(named).toEqual(['POST']);
	});
});

describe('keys that expire', () => {
	it('are returned by the time that is left, without those that last longer', async () => {
		const inDays = (days: number) =>
			new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
		const keys = [
			...[{ id: 'key_never', expires_at: null }, { id: 'key_unknown' }],
			...[
				{ id: 'key_later', expires_at: inDays(13.9) },
				{ id: 'key_too_late', expires_at: inDays(15) },
			],
			{ id: 'key_first', expires_at: inDays(1) },
		];
		service().get('/v1/auth/keys').reply(200, keys);
		const expiring = await createClient().keys.expiring({ withinDays: 14 });
		expect(expiring.map(({ id }) => id)).toEqual(['key_first', 'key_later']);
	});

	it.each([undefined, '14', -1, Number.NaN])('cannot be asked for within %j days', async (days) => {
		const work = createClient().keys.expiring({ withinDays: days as never });
		expect(await errorOf(work)).toMatchObject({
			issues: [{ path: 'withinDays', message: expect.stringMatching(/^must be/) }],
		});
	});
});
