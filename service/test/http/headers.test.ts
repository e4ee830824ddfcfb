// The headers that every response has, over every route that the application knows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assemble } from '../../src/service.ts';
import { createTestService } from '../../src/testing.ts';

const service = await assemble({ demo: true, webUrl: 'https://boards.example.com' });
afterAll(() => service.close());

const routes = service.app.routes.filter(({ method }) => method !== 'ALL');
const credentials = { authorization: `Bearer ${service.demo?.apiKey}` };

function send(path: string, init: RequestInit = {}) {
	return service.app.request(`https://boards.example.com${path}`, init, {});
}

function expectHeaders({ headers }: Response) {
	expect(headers.get('x-request-id')).toMatch(/^[\w.:-]{1,128}$/);
	expect(headers.get('x-content-type-options')).toBe('nosniff');
	const policy = headers.get('content-security-policy')?.split('; ');
	const always = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"];
	expect(policy).toEqual(expect.arrayContaining(always));
	const type = headers.get('content-type') ?? '';
	if (/^text\/|xml/.test(type)) expect(type).toMatch(/; charset=utf-8/i);
	if (type.startsWith('text/html')) expect(headers.get('referrer-policy')).toBe('same-origin');
	expect(headers.get('cache-control')).toMatch(/^no-store$|immutable|^private, no-cache$/);
}

describe.each(routes)('$method $path', ({ method, path }) => {
	test('has the headers that every response has', async () => {
		expectHeaders(await send(path, { method }));
		expectHeaders(await send(path, { method, headers: credentials }));
		expectHeaders(await send(path, { method, headers: { accept: 'text/html' } }));
	});
});

test('there are routes of each kind', () => {
	const paths = routes.map(({ path }) => path);
	const kinds = ['/v1/boards', '/metrics', '/openapi.json', '/docs', '/login', '/healthz'];
	expect(paths).toEqual(expect.arrayContaining(kinds));
});

test.each([
	['a redirect', '/keys', { headers: {} }, 303],
	['an unknown path', '/nothing', { headers: {} }, 404],
	['an unknown page', '/nothing', { headers: { accept: 'text/html' } }, 404],
	['a wrong method', '/v1/boards', { method: 'PUT' }, 405],
	['a HEAD request', '/docs', { method: 'HEAD' }, 200],
	['a preflight request', '/v1/boards', { method: 'OPTIONS' }, 204],
])('%s has these headers too', async (_what, path, init, status) => {
	const response = await send(path, init);
	expect(response.status).toBe(status);
	expectHeaders(response);
});

test('a request ID of the caller is kept unless it is malformed or contains a key', async () => {
	const echoed = async (id: string) =>
		(await send('/metrics', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
	expect(await echoed('build-17:step.2')).toBe('build-17:step.2');
	expect(await echoed('two words')).toMatch(/^[0-9a-f-]{36}$/);
	expect(await echoed(service.demo?.apiKey ?? '')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a service that is stopping sends the headers, and logs no error', async () => {
	let logged = '';
	const write = (line: string) => {
		logged += line;
	};
	const stopping = await assemble({ log: { write } });
	stopping.rejectRequests();
	const response = await stopping.app.request('/v1/boards', {}, {});
	expect(response.status).toBe(503);
	expectHeaders(response);
	expect(logged).not.toContain('"level":"error"');
	await stopping.close();
});

describe('an injected response', () => {
	let injected: Awaited<ReturnType<typeof createTestService>>;
	beforeAll(async () => {
		injected = await createTestService();
	});
	afterAll(() => injected.close());

	test('has the headers too', async () => {
		injected.failNext({ kind: 'rate-limited' });
		expectHeaders(await injected.fetch('http://localhost/v1/boards'));
	});
});
