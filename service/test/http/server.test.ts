// What the server sends around the application: identifiers, HSTS, and responses to invalid HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startServer } from '../../src/server.ts';
import { sendRaw } from '../support/raw.ts';

const base = { port: 0, host: '127.0.0.1' };
const get = (path: string, ...headers: string[]) =>
	[`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n');

describe('a request that never reaches the application', () => {
	let service: RunningService;
	beforeAll(async () => {
		service = await startServer(base);
	});
	afterAll(() => service.stop());

	test.each([
		['is no HTTP', 'hello\r\n\r\n', 400],
		['has no host', 'GET / HTTP/1.1\r\n\r\n', 400],
		['has no path', get('boards'), 400],
		['has a path that is no URL', get('/\\boards'), 400],
		['has too large headers', get('/', `X: ${'x'.repeat(20_000)}`), 431],
		['has two lengths', get('/', 'Content-Length: 1', 'Content-Length: 2'), 400],
		[
			'has a chunk without a size',
			`${get('/healthz', 'Transfer-Encoding: chunked').replace('GET', 'POST')}zz\r\n`,
			400,
		],
	])('because it %s gets a JSON error with an identifier', async (_what, text, status) => {
		const response = await sendRaw(service.address, text);
		expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
		const id = /x-request-id: ([\w-]+)/i.exec(response)?.[1];
		expect(response.split('\r\n\r\n')[1]).toContain(`"request_id":"${id}"`);
	});

	test('TRACE is rejected, and not echoed', async () => {
		const text = get('/v1/boards', 'X-Secret: yes').replace('GET', 'TRACE');
		const response = await sendRaw(service.address, text);
		expect(response).toMatch(/^HTTP\/1\.1 405 /);
		expect(response).not.toContain('yes');
	});

	test('an unknown expectation is ignored', async () => {
		expect(await sendRaw(service.address, get('/healthz', 'Expect: tea'))).toMatch(/ 200 OK/);
	});
});

describe('Strict-Transport-Security', () => {
	const headersOf = async (options: object, path: string, ...headers: string[]) => {
		const service = await startServer({ ...base, ...options });
		try {
			const response = await sendRaw(service.address, get(path, ...headers));
			return response.split('\r\n\r\n')[0]?.toLowerCase();
		} finally {
			await service.stop();
		}
	};
	const https = { baseUrl: 'https://boards.example.com', webUrl: 'https://boards.example.com' };
	const hsts = 'strict-transport-security: max-age=31536000; includesubdomains';

	test.each(['/healthz', '/v1/boards', '/nothing', '/docs'])(
		'is on %s if the service has an https address',
		async (path) => {
			expect(await headersOf(https, path)).toContain(hsts);
		},
	);

	test('is on an error before the application', async () => {
		expect(await headersOf(https, '/', 'Host: twice')).toContain(hsts);
	});

	test('is absent if an address is http', async () => {
		const half = { ...https, webUrl: 'http://boards.example.com' };
		expect(await headersOf(half, '/healthz')).not.toContain('strict-transport-security');
		expect(await headersOf({}, '/healthz')).not.toContain('strict-transport-security');
	});
});

describe('/metrics', () => {
	const token = 'a-token-of-the-operator';
	const responseTo = async (options: object, ...headers: string[]) => {
		const service = await startServer({ ...base, ...options });
		try {
			return await sendRaw(service.address, get('/metrics', ...headers));
		} finally {
			await service.stop();
		}
	};

	test('requires METRICS_TOKEN, and is closed without one', async () => {
		const rejected = /^HTTP\/1.1 401 .*The metrics require a token/s;
		const wrongToken = /^HTTP\/1.1 401 .*The token is not valid/s;
		expect(await responseTo({})).toMatch(rejected);
		expect(await responseTo({}, 'Authorization: Bearer undefined')).toMatch(wrongToken);
		const set = { metricsToken: token };
		const wrong = `Authorization: Bearer ${token}x`;
		expect(await responseTo(set)).toMatch(rejected);
		expect(await responseTo(set, wrong)).toMatch(wrongToken);
		expect(await responseTo(set, `Authorization: Bearer ${token}`)).toMatch(/^HTTP\/1.1 200 /);
	});
});
