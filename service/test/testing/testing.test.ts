import { BoardAccess } from 'board-access';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';

describe.each(['in-process', 'over a socket'])('errors on demand %s', (way) => {
	let service: TestService;
	let baseUrl: string;
	let reach: typeof fetch;
	let client: BoardAccess;
	beforeEach(async () => {
		service = await createTestService();
		baseUrl = way === 'in-process' ? 'http://localhost' : await service.listen();
		reach = way === 'in-process' ? service.fetch : fetch;
		client = new BoardAccess({ baseUrl, apiKey: service.demo.apiKey, fetch: reach });
	});
	afterEach(() => service.close());

	const once = () => client.boards.list({}, { maxRetries: 0, timeout: 300 });

	test('a rate limit says when to retry, and the client retries', async () => {
		service.failNext({ kind: 'rate-limited', retryAfter: 1 });
		const response = await reach(`${baseUrl}/v1/boards`);
		expect(response.status).toBe(429);
		expect(response.headers.get('retry-after')).toBe('1');
		expect(response.headers.get('ratelimit-policy')).toBe('"key";q=600;w=60');
		service.failNext({ kind: 'rate-limited', retryAfter: 0 });
		expect(await client.boards.list()).toHaveLength(20);
	});

	test('a gateway responds with HTML', async () => {
		service.failNext({ kind: 'bad-gateway' });
		await expect(once()).rejects.toMatchObject({ status: 502 });
	});

	test('a body stalls until the caller gives up', async () => {
		service.failNext({ kind: 'stalled-body' });
		await expect(once()).rejects.toMatchObject({ name: 'RequestTimeoutError' });
	});

	test('a connection breaks', async () => {
		service.failNext({ kind: 'reset' });
		await expect(once()).rejects.toMatchObject({ name: 'ConnectionError' });
	});

	test('a response is late', async () => {
		service.failNext({ kind: 'slow-headers', milliseconds: 50 });
		const started = performance.now();
		expect(await once()).toHaveLength(20);
		expect(performance.now() - started).toBeGreaterThan(45);
		service.failNext({ kind: 'slow-headers', milliseconds: 5000 });
		await expect(once()).rejects.toMatchObject({ name: 'RequestTimeoutError' });
	});

	test('errors apply in the given order, one for each request', async () => {
		service.failNext({ kind: 'bad-gateway' }, { kind: 'rate-limited' });
		const statuses = [];
		for (let count = 0; count < 3; count += 1) {
			const headers = { authorization: `Bearer ${service.demo.apiKey}` };
			statuses.push((await reach(`${baseUrl}/v1/boards`, { headers })).status);
		}
		expect(statuses).toEqual([502, 429, 200]);
	});
});

test('an unknown kind of error throws with the known kinds', async () => {
	const service = await createTestService();
	const failNext = () => service.failNext({ kind: 'bad-gateway' }, { kind: 'typo' as never });
	expect(failNext).toThrow(
		'typo. The kinds are rate-limited, bad-gateway, stalled-body, reset, slow',
	);
	expect((await service.fetch('http://localhost/v1/boards')).status).toBe(401);
	await service.close();
});
