import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/service.ts';

const webUrl = 'https://boards.example.com';
let service: Service;
beforeAll(async () => {
	service = await createService({ demo: true, baseUrl: 'https://api.example.com', webUrl });
});
afterAll(() => service.close());

const ask = (method: string, origin: string) =>
	service.fetch('https://api.example.com/v1/boards', {
		method,
		headers: { origin, authorization: `Bearer ${service.demo?.apiKey}` },
	});

test('web pages at WEB_URL may use the API', async () => {
	for (const method of ['GET', 'OPTIONS']) {
		const { headers } = await ask(method, webUrl);
		expect(headers.get('access-control-allow-origin')).toBe(webUrl);
		expect(headers.get('access-control-allow-credentials')).toBe('true');
	}
});

test('they may read the headers of a response, also of an error', async () => {
	for (const [method, status] of [
		['GET', 200],
		['DELETE', 405],
	] as const) {
		const response = await ask(method, webUrl);
		expect(response.status).toBe(status);
		expect(response.headers.get('access-control-expose-headers')?.split(',')).toEqual([
			'X-Request-Id',
			'ETag',
			'Retry-After',
			'RateLimit',
			'RateLimit-Policy',
			'Idempotent-Replayed',
			'X-Agent-Connected',
			'X-Console-End',
			'X-Console-Offset',
		]);
	}
});

test('other pages may not', async () => {
	const { headers } = await ask('OPTIONS', 'https://evil.example');
	expect(headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
});

test('a method that a path does not support still gets its error', async () => {
	expect((await ask('PUT', webUrl)).status).toBe(405);
	const missing = await service.fetch('https://api.example.com/v1/nothing');
	expect(missing.status).toBe(404);
});
