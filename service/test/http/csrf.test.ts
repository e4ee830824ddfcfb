// Which requests with a cookie may change something.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';

let service: TestService;

const logIn = async (address: string, headers: Record<string, string>) => {
	const body = new URLSearchParams({ email: service.demo.email, password: service.demo.password });
	const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
	return (await service.fetch(`${address}/login`, init)).status;
};

describe('a service with a configured address', () => {
	const own = 'https://boards.example.com';
	beforeAll(async () => {
		service = await createTestService({ baseUrl: own });
	});
	afterAll(() => service.close());

	test.each([
		['its own pages', own, { origin: own }, 303],
		['its own pages behind a proxy', 'http://boards.example.com', { origin: own }, 303],
		['what the browser calls its own', own, { 'sec-fetch-site': 'same-origin' }, 303],
		['pages at another name of it', 'http://evil.example', { origin: 'http://evil.example' }, 403],
		[
			'what the browser calls another site',
			own,
			{ origin: own, 'sec-fetch-site': 'cross-site' },
			403,
		],
		['nobody knows where', own, {}, 403],
	])('accepts or rejects a change from %s', async (_who, address, headers, status) => {
		expect(await logIn(address, { ...headers })).toBe(status);
	});
});

test('a service without a configured address accepts its own pages at any name', async () => {
	service = await createTestService();
	expect(await logIn('http://lab:8787', { origin: 'http://lab:8787' })).toBe(303);
	expect(await logIn('http://lab:8787', { origin: 'http://evil.example' })).toBe(403);
	await service.close();
});
