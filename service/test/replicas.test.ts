// Several replicas on one PostgreSQL are one service.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { emptyDatabase } from '../../core/test/support/databases.ts';
import { createService, type Service } from '../src/service.ts';

let first: Service;
let second: Service;
let key: string;
beforeAll(async () => {
	const database = await emptyDatabase('PostgreSQL');
	// Together, so that both find an empty database.
	[first, second] = await Promise.all([
		createService({ database, demo: true }),
		createService({ database, rateLimitPerKey: 6 }),
	]);
	key = first.demo?.apiKey ?? '';
});
afterAll(async () => {
	await first.close();
	await second.close();
});

const send = (service: Service, path: string, { method = 'GET', using = key } = {}) =>
	service.fetch(`http://localhost${path}`, {
		method,
		headers: { authorization: `Bearer ${using}` },
	});

test('a key that is revoked on one replica is rejected by the other at the next request', async () => {
	for (let round = 0; round < 20; round += 1) {
		const { key: using, id } = await (
			await send(first, '/v1/auth/keys', { method: 'POST' })
		).json();
		expect((await send(second, '/v1/boards', { using })).status).toBe(200);
		await send(first, `/v1/auth/keys/${id}`, { method: 'DELETE' });
		expect((await send(second, '/v1/boards', { using })).status).toBe(401);
	}
});

test('a key that is in use on one replica is not replaced by the other', async () => {
	const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'once' };
	const create = () => first.fetch('http://localhost/v1/auth/keys', { method: 'POST', headers });
	const { key: using, id } = await (await create()).json();
	await send(second, '/v1/boards', { using });
	await vi.waitFor(async () => {
		const { data } = await (await send(first, '/v1/auth/keys')).json();
		expect(data.find((each: { id: string }) => each.id === id).last_used_at).not.toBeNull();
	});
	expect((await create()).status).toBe(409);
	expect((await send(second, '/v1/boards', { using })).status).toBe(200);
});

test('replicas share the count of requests', async () => {
	const { key: using } = await (await send(first, '/v1/auth/keys', { method: 'POST' })).json();
	for (let count = 0; count < 6; count += 1) {
		expect((await send(first, '/v1/boards', { using })).status).toBe(200);
	}
	// Each adds its counts up a few times a second.
	await expect.poll(async () => (await send(second, '/v1/boards', { using })).status).toBe(429);
});
