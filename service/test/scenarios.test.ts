// The same scenarios wherever the service runs. Together they cover every error code of the contract.

import { type ErrorCode, errorStatuses } from 'board-access-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../core/src/accounts/store.ts';
import { type BoardInput, importBoards } from '../../core/src/boards/import.ts';
import { logIn } from '../../core/src/members/log-in.ts';
import { disableAccount } from '../../core/src/members/stop.ts';
import { Browser } from '../../core/test/support/visitor.ts';
import { type Backend, backends, onSqlite } from './support/backends.ts';
import { connectAgent, connecting, sendAs } from './support/scripted-agent.ts';

const leasable: BoardInput[] = [
	{ id: 'brd_leasable', board_type: 'leasable' },
	{ id: 'brd_costly', board_type: 'costly', credits_per_minute: 10 },
	{ id: 'brd_driven', board_type: 'driven' },
].map((board) => ({ ...board, name: board.id, status: 'available', description: '', tags: {} }));

describe.each(backends)('the service $name', ({ kind, open }) => {
	let backend: Backend;
	const met = new Set<string>();
	beforeAll(async () => {
		backend = await open({ rateLimitFailedCredentials: 10_000, leasesPerAccount: 2 });
		await importBoards(backend.services.database.query, leasable);
	});
	afterAll(() => backend.close());

	const json = { 'content-type': 'application/json' };
	const create = (body: unknown, headers: Record<string, string> = {}) =>
		backend.send('/v1/admin/base-images', {
			method: 'POST',
			headers: { ...json, ...headers },
			body: JSON.stringify(body),
		});
	const newKey = async (label?: string) => (await backend.client().keys.create({ label })).key;

	/** Expects an error, and remembers that its code was met. */
	const refusal = async (pending: Promise<Response>, code: ErrorCode) => {
		const response = await pending;
		const { error } = await response.json();
		expect({ status: response.status, code: error.code }).toEqual({
			status: errorStatuses[code],
			code,
		});
		expect(error.request_id).toBe(response.headers.get('x-request-id'));
		expect(response.headers.get('cache-control')).toBe('no-store');
		met.add(code);
		return { error, headers: response.headers };
	};

	test('the client lists the boards and filters them', async () => {
		const boards = await backend.client().boards.list();
		expect(boards.length).toBe(23);
		const offline = await backend.client().boards.list({ status: 'offline', pageSize: 1 });
		expect(offline.map(({ status }) => status)).toEqual(['offline', 'offline']);
	});

	test('the client creates, lists and revokes a key, and the key works until then', async () => {
		const client = backend.client();
		const { key, id, label } = await client.keys.create({ label: ' nightly ' });
		expect(label).toBe('nightly');
		expect(key).toMatch(/^key_[0-9a-f]{48}$/);
		expect((await client.keys.list())[0]).toMatchObject({ id, label });
		await backend.client(key).boards.list();
		await client.keys.revoke(id);
		await expect(backend.client(key).boards.list()).rejects.toMatchObject({
			code: 'api_key_revoked',
		});
	});

	test('a key without a label, from an empty body', async () => {
		const response = await backend.send('/v1/auth/keys', { method: 'POST' });
		expect(response.status).toBe(201);
		expect(await response.json()).toMatchObject({ label: null, last_used_at: null });
	});

	test('the client creates a base image, and the response has the ten fields only', async () => {
		const made = await backend.client().admin.baseImages.create({
			action: 'flash',
			boardType: 'esp32-s3',
			name: 'Firmware',
			url: 'https://images.example.com/a.bin',
			flashOffset: '0x1000',
		});
		expect(made).toMatchObject({ action: 'flash', flashOffset: '0x1000', enabled: true });
		const raw = await create({ action: 'erase', board_type: 'x', name: 'y', id: 1, created_at: 2 });
		expect(raw.status).toBe(201);
		expect(Object.keys(await raw.json()).sort()).toEqual(
			'action,board_type,created_at,description,enabled,flash_offset,id,name,position,url'.split(
				',',
			),
		);
	});

	test('each kind of invalid credentials has its own error', async () => {
		const boards = (authorization: string) =>
			backend.send('/v1/boards', { headers: { authorization } });
		const { headers } = await refusal(boards('none'), 'credentials_missing');
		expect(headers.get('www-authenticate')).toBe('Bearer');
		await refusal(boards('Bearer nonsense'), 'api_key_malformed');
		await refusal(boards('Basic YTpi'), 'api_key_malformed');
		await refusal(boards(`Bearer key_${'0'.repeat(48)}`), 'api_key_invalid');
		const revoked = await newKey();
		const id = (await backend.client().keys.list())[0]?.id ?? '';
		await backend.client().keys.revoke(id);
		await refusal(boards(`Bearer ${revoked}`), 'api_key_revoked');
	});

	test('a key is accepted in either case', async () => {
		const authorization = `bearer ${backend.apiKey.toUpperCase().replace('KEY_', 'key_')}`;
		expect((await backend.send('/v1/boards', { headers: { authorization } })).status).toBe(200);
	});

	test('the free tier cannot create keys, and the hint says where to top up', async () => {
		const headers = { authorization: `Bearer ${backend.freeApiKey}` };
		const { error } = await refusal(
			backend.send('/v1/auth/keys', { method: 'POST', headers }),
			'paid_tier_required',
		);
		expect(error.hint).toContain('/credits');
		expect((await backend.send('/v1/boards', { headers })).status).toBe(200);
	});

	test('only administrators create base images, and an unknown one is a 404', async () => {
		const headers = { authorization: `Bearer ${backend.freeApiKey}` };
		await refusal(create({}, headers), 'admin_required');
		await refusal(backend.send('/v1/admin/base-images/img_nothing'), 'base_image_not_found');
	});

	test('an error response lists every error of a request', async () => {
		const { error } = await refusal(
			create({ action: 'burn', board_type: 5, colour: 'red', position: -1, enabled: 'yes' }),
			'invalid_request',
		);
		expect(error.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
			'action',
			'board_type',
			'colour',
			'enabled',
			'name',
			'position',
		]);
		const flash = await refusal(create({ action: 'flash' }), 'invalid_request');
		expect(flash.error.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
			'board_type',
			'name',
			'url',
		]);
		for (const query of [
			'?limit=0',
			'?limit=201',
			'?colour=red',
			'?cursor=x',
			'?limit=1&limit=2',
		]) {
			await refusal(backend.send(`/v1/boards${query}`), 'invalid_request');
		}
	});

	test('bodies that are not JSON, of another type, or too large', async () => {
		const post = (body: string, headers: Record<string, string> = json) =>
			backend.send('/v1/admin/base-images', { method: 'POST', headers, body });
		await refusal(post('{'), 'invalid_json');
		await refusal(post(''), 'invalid_json');
		await refusal(post('{}', { 'content-type': 'text/plain' }), 'unsupported_media_type');
		await refusal(post(`"${'x'.repeat(70_000)}"`), 'body_too_large');
	});

	test('unknown paths and methods', async () => {
		await refusal(backend.send('/v1/nothing'), 'not_found');
		const { headers } = await refusal(
			backend.send('/v1/auth/keys', { method: 'PATCH' }),
			'method_not_allowed',
		);
		expect(headers.get('allow')).toBe('GET, POST');
		const revoke = (id: string) => backend.send(`/v1/auth/keys/${id}`, { method: 'DELETE' });
		await refusal(revoke(`key_${'0'.repeat(24)}`), 'key_not_found');
		await refusal(revoke('nonsense'), 'key_not_found');
		await refusal(revoke(backend.apiKey), 'secret_in_path');
	});

	test('a base image that is created twice with one Idempotency-Key is created once', async () => {
		const image = { action: 'erase', board_type: 'twice', name: 'Erase' };
		const once = { 'idempotency-key': 'image' };
		const [first, second] = await Promise.all([create(image, once), create(image, once)]);
		expect([first.status, second.status]).toEqual([201, 201]);
		expect(await second.json()).toEqual(await first.json());
		const replays = [first, second].map(({ headers }) => headers.get('idempotent-replayed'));
		expect(replays.sort()).toEqual([null, 'true'].sort());
		await refusal(create({ ...image, name: 'Other' }, once), 'idempotency_mismatch');
	});

	test('a key that is created again replaces the first unless that was used', async () => {
		const post = () =>
			backend.send('/v1/auth/keys', { method: 'POST', headers: { 'idempotency-key': 'key' } });
		const responses = [await post(), await post()];
		const replays = responses.map(({ headers }) => headers.get('idempotent-replayed'));
		expect(replays).toEqual([null, 'true']);
		const [first, second] = await Promise.all(responses.map((response) => response.json()));
		expect(second.key).not.toBe(first.key);
		await expect(backend.client(first.key).boards.list()).rejects.toThrow();
		await backend.client(second.key).boards.list();
		await refusal(post(), 'idempotency_delivered');
		await backend.client(second.key).boards.list();
	});

	test('repeating the creation of a revoked key does not replace it', async () => {
		const headers = { 'idempotency-key': 'revoked' };
		const post = () => backend.send('/v1/auth/keys', { method: 'POST', headers });
		const { id } = await (await post()).json();
		await backend.client().keys.revoke(id);
		await refusal(post(), 'idempotency_delivered');
	});

	test('concurrent creations with one Idempotency-Key leave one live key', async () => {
		const before = (await backend.client().keys.list()).length;
		const headers = { 'idempotency-key': 'many' };
		const responses = await Promise.all(
			Array.from({ length: 8 }, () => backend.send('/v1/auth/keys', { method: 'POST', headers })),
		);
		expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
		expect((await backend.client().keys.list()).length).toBe(before + 1);
	});

	test.runIf(kind === 'PostgreSQL')('a creation that is still running elsewhere', async () => {
		const owner = await findAccount(backend.services.database.query, 'admin@example.com');
		await backend.services.database.patient.transaction().execute(async (transaction) => {
			await transaction
				.insertInto('idempotency')
				.values({
					account_id: owner?.id ?? '',
					idempotency_key: 'running',
					request_hash: '',
					resource_id: 'img_running',
					created_at: new Date().toISOString(),
				})
				.execute();
			await refusal(
				create({ action: 'erase', board_type: 'x', name: 'y' }, { 'idempotency-key': 'running' }),
				'idempotency_in_progress',
			);
		});
	});

	test('a board is leased, renewed and released, and errors say why', async () => {
		const send = (method: string, path: string, body?: unknown) =>
			backend.send(path, {
				method,
				headers: json,
				...(body !== undefined && { body: JSON.stringify(body) }),
			});
		const lease = (input: object) => send('POST', '/v1/leases', input);
		const { id, board_id } = await (await lease({ board_type: 'leasable' })).json();
		expect(board_id).toBe('brd_leasable');
		await refusal(lease({ board_type: 'leasable' }), 'no_board_available');
		await refusal(lease({ board_type: 'nothing' }), 'board_type_not_found');
		await refusal(lease({ board_type: 'leasable', tags: { rack: null } }), 'board_tag_not_found');
		await refusal(send('GET', '/v1/boards/brd_nothing'), 'board_not_found');
		await refusal(lease({ board_id: 'brd_costly', minutes: 600 }), 'credits_exhausted');
		const waiting = await (await lease({ board_type: 'leasable', wait_seconds: 60 })).json();
		const renew = (lease: string, minutes = 5) =>
			backend.send(`/v1/leases/${lease}/renew`, {
				method: 'POST',
				headers: { ...json, 'idempotency-key': `renew ${lease}` },
				body: JSON.stringify({ minutes }),
			});
		expect((await renew(waiting.id)).status).toBe(200);
		await refusal(
			send('POST', `/v1/leases/${waiting.id}/actions`, { action: 'reset' }),
			'lease_not_active',
		);
		await refusal(lease({ board_type: 'leasable', wait_seconds: 60 }), 'lease_limit');
		expect((await renew(id)).status).toBe(200);
		await refusal(renew(id, 6), 'idempotency_conflict');
		await refusal(
			send('POST', `/v1/leases/${id}/actions`, { action: 'reset' }),
			'board_has_no_agent',
		);
		expect(
			(await send('PUT', `/v1/leases/${id}/shares`, { email: 'free@example.com', access: 'look' }))
				.status,
		).toBe(200);
		const share = (place: number) =>
			send('PUT', `/v1/leases/${id}/shares`, { email: `c${place}@example.com`, access: 'look' });
		for (let place = 1; place < 20; place++) expect((await share(place)).ok).toBe(true);
		await refusal(share(20), 'share_limit');
		const asColleague = { headers: { authorization: `Bearer ${backend.freeApiKey}` } };
		const released = backend.send(`/v1/leases/${id}`, { method: 'DELETE', ...asColleague });
		await refusal(released, 'access_insufficient');
		expect((await send('DELETE', `/v1/leases/${id}`)).status).toBe(200);
		await refusal(renew(id, 6), 'idempotency_conflict');
		await refusal(send('POST', `/v1/leases/${id}/renew`, { minutes: 5 }), 'lease_ended');
		await refusal(send('GET', '/v1/leases/lse_nothing'), 'lease_not_found');
		expect(await (await send('GET', `/v1/leases/${waiting.id}`)).json()).toMatchObject({
			status: 'active',
			board_id,
		});
		await send('DELETE', `/v1/leases/${waiting.id}`);
	});

	test('an expired key, a restricted key and one key too many are rejected', async () => {
		const { id, key } = await backend.client().keys.create();
		await backend.services.database.query
			.updateTable('api_keys')
			.set({ expires_at: '2020-01-01T00:00:00.000Z' })
			.where('id', '=', id)
			.execute();
		const withKey = (apiKey: string) => ({ headers: { authorization: `Bearer ${apiKey}` } });
		await refusal(backend.send('/v1/boards', withKey(key)), 'api_key_expired');
		const restricted = await backend.client().keys.create({ scope: 'boards' });
		expect((await backend.send('/v1/boards', withKey(restricted.key))).status).toBe(200);
		await refusal(backend.send('/v1/auth/keys', withKey(restricted.key)), 'scope_insufficient');
		// It may ask for boards, one or several: these do not exist.
		for (const [path, body] of [
			['/v1/leases', { board_type: 'none' }],
			['/v1/lease-groups', { boards: { dut: { board_type: 'none' } } }],
		] as const) {
			const asking = { method: 'POST', body: JSON.stringify(body), ...withKey(restricted.key) };
			const headers = { ...asking.headers, 'content-type': 'application/json' };
			await refusal(backend.send(path, { ...asking, headers }), 'board_type_not_found');
		}
		const strict = await open({ keysPerAccount: 1 });
		const oneMore = strict.send('/v1/auth/keys', { method: 'POST' }) ?? Promise.reject();
		await refusal(oneMore, 'key_limit');
		await strict.close();
	});

	test('a board with an agent, and the errors for its user and its agent', async () => {
		const post = (path: string, body: unknown) =>
			backend.send(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
		const agentInput = { name: 'Lab', board_ids: ['brd_driven'] };
		const { token } = await (await post('/v1/admin/agents', agentInput)).json();
		const asAgent = sendAs(backend.baseUrl, token, backend.fetch);
		const agent = await connectAgent(asAgent, { driven: { brd_driven: ['flash'] } });
		const { id } = await (await post('/v1/leases', { board_type: 'driven' })).json();
		const lease = `/v1/leases/${id}`;
		const upload = { method: 'POST', headers: { 'content-type': 'application/octet-stream' } };
		await refusal(backend.send(`${lease}/files`, { ...upload, body: ':00' }), 'invalid_firmware');
		const { settings } = backend.services;
		const { firmwareMibPerAccount } = settings;
		Object.assign(settings, { firmwareMibPerAccount: 0 });
		const more = backend.send(`${lease}/files?raw=true`, { ...upload, body: 'raw' });
		await refusal(more, 'storage_limit');
		Object.assign(settings, { firmwareMibPerAccount });
		await refusal(
			post(`${lease}/actions`, { action: 'flash', file_id: 'fil_nothing' }),
			'file_not_found',
		);
		await refusal(backend.send(`${lease}/actions/act_nothing`), 'action_not_found');
		const channel_id = `chn_${'0'.repeat(24)}`;
		await refusal(post(`${lease}/channels`, { kind: 'serial', channel_id }), 'channel_not_found');
		const headers = { authorization: `Ticket ${'0'.repeat(48)}` };
		const send = (channel: string) =>
			backend.send(`/v1/channels/${channel}`, { method: 'POST', headers });
		await refusal(send(channel_id), 'ticket_invalid');
		const channel = await (await post(`${lease}/channels`, { kind: 'serial' })).json();
		const { query } = backend.services.database;
		await query.updateTable('channels').set({ home: 'another replica' }).execute();
		await refusal(send(channel.id), 'channel_elsewhere');
		await refusal(post('/v1/admin/agents', { ...agentInput, name: 'Other' }), 'board_in_use');
		await refusal(backend.send('/v1/admin/agents/agt_nothing'), 'agent_not_found');
		const fence = agent.fence('brd_driven');
		await refusal(agent.write(id, { fence: fence - 1, offset: 0, data: 'x' }), 'fence_outdated');
		await refusal(agent.write(id, { fence, offset: 5, data: 'x' }), 'console_gap');
		const unknown = sendAs(backend.baseUrl, `agt_${'0'.repeat(48)}`, backend.fetch);
		await refusal(unknown('/work', connecting('x')), 'agent_token_invalid');
		await refusal(asAgent('/work', connecting('another')), 'agent_connected');
		// The agent confirms nothing, so 64 KiB of input wait for it.
		const type = () => backend.send(`${lease}/console`, { ...upload, body: 'x'.repeat(4096) });
		for (let kib = 0; kib < 64; kib += 4) expect((await type()).status).toBe(204);
		await refusal(type(), 'console_input_full');
		await backend.send(lease, { method: 'DELETE' });
		await agent.cut();
	});

	const cookieOf = async ({ services, login }: Backend) => {
		const { session } = await logIn(services, new Browser(), login);
		return `board_access.session_token=${session}`;
	};

	test('a session cookie is a credential, and takes precedence over a key', async () => {
		const origin = new URL(backend.baseUrl).origin;
		const cookie = await cookieOf(backend);
		const post = (headers: Record<string, string>) =>
			backend.send('/v1/auth/keys', { method: 'POST', headers: { cookie, ...headers } });
		expect((await post({ authorization: 'none', origin })).status).toBe(201);
		// The account of the cookie is on the paid tier, that of the key is not.
		const authorization = `Bearer ${backend.freeApiKey}`;
		expect((await post({ authorization, origin })).status).toBe(201);
		await refusal(post({ origin: 'https://evil.example' }), 'origin_refused');
		await refusal(post({}), 'origin_refused');
		const stale = { cookie: 'board_access.session_token=stale', authorization };
		expect((await backend.send('/v1/boards', { headers: stale })).status).toBe(200);
	});

	test('a key is created with a session only if the password was entered recently', async () => {
		const headers = { cookie: await cookieOf(backend), origin: new URL(backend.baseUrl).origin };
		const { query } = backend.services.database;
		const confirmed_at = new Date(Date.now() - 16 * 60_000).toISOString();
		await query.updateTable('sessions').set({ confirmed_at }).execute();
		await refusal(
			backend.send('/v1/auth/keys', { method: 'POST', headers }),
			'confirmation_required',
		);
		expect((await backend.send('/v1/boards', { headers })).status).toBe(200);
	});

	test('an administrator needs two-factor authentication where the service requires it', async () => {
		const guarded = await open({ adminTwoFactor: 'required' });
		const cookie = guarded && (await cookieOf(guarded));
		const asked = guarded.send('/v1/boards', { headers: { cookie: cookie ?? '' } });
		await refusal(asked ?? Promise.reject(), 'two_factor_required');
		expect((await guarded.send('/v1/boards')).status).toBe(200);
		await guarded.close();
	});

	test('a disabled account is rejected at its next request', async () => {
		const headers = { authorization: `Bearer ${backend.freeApiKey}` };
		const { query } = backend.services.database;
		await disableAccount(
			backend.services,
			(await findAccount(query, 'free@example.com'))?.id ?? '',
		);
		await refusal(backend.send('/v1/boards', { headers }), 'api_key_revoked');
	});

	test('an error is application/json, whatever the request accepts', async () => {
		const response = await backend.send('/v1/nothing', {
			headers: { accept: 'application/problem+json' },
		});
		expect(response.headers.get('content-type')).toBe('application/json');
		expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
	});

	test('a valid X-Request-Id is kept, an invalid one is not', async () => {
		const ask = async (id: string) =>
			(await backend.send('/v1/boards', { headers: { 'x-request-id': id } })).headers.get(
				'x-request-id',
			);
		expect(await ask('build-42.a')).toBe('build-42.a');
		expect(await ask('with space')).not.toBe('with space');
		expect(await ask(backend.apiKey)).not.toBe(backend.apiKey);
	});

	test('health and readiness need no credentials, and metrics contain none', async () => {
		for (const path of ['/healthz', '/readyz']) {
			expect((await backend.fetch(`${backend.baseUrl}${path}`)).status).toBe(200);
		}
		const metrics = await backend.services.metrics.text();
		expect(metrics).toContain('route="/v1/boards",status="200"');
		expect(metrics).not.toMatch(/key_[0-9a-f]{24}/);
	});

	test('an internal error reveals nothing about its cause', async () => {
		const { query } = backend.services.database;
		await query.schema.alterTable('base_images').renameTo('lost').execute();
		const { error } = await refusal(backend.send('/v1/admin/base-images'), 'internal');
		expect(JSON.stringify(error)).not.toMatch(/lost|base_images|sql/i);
		await query.schema.alterTable('lost').renameTo('base_images').execute();
	});

	test('too many requests are rejected with the time to retry', async () => {
		const strict = await open({ rateLimitPerKey: 3 });
		const statuses = [];
		for (let count = 0; count < 3; count += 1) {
			statuses.push((await strict.send('/v1/boards')).status);
		}
		expect(statuses).toEqual([200, 200, 200]);
		const over = strict.send('/v1/boards') ?? Promise.reject();
		const { headers } = await refusal(over, 'rate_limited');
		expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
		expect(headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
		await strict.close();
	});

	test('a service that is stopping responds with 503', async () => {
		const stopping = await onSqlite.open();
		await stopping.close();
		const { headers } = await refusal(stopping.send('/v1/boards'), 'unavailable');
		expect(headers.get('retry-after')).toBe('2');
	});

	test('every error code of the contract was tested', () => {
		const expected = Object.keys(errorStatuses).filter(
			// On SQLite the second request waits for the first instead.
			(code) => kind === 'PostgreSQL' || code !== 'idempotency_in_progress',
		);
		expect([...met].sort()).toEqual(expected.sort());
	});
});
