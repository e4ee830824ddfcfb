import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startServer } from '../../../src/server.ts';
import { sendRaw } from '../../support/raw.ts';

const request = (...hosts: string[]) =>
	[
		'GET /healthz HTTP/1.1',
		...hosts.map((host) => `Host: ${host}`),
		'Connection: close',
		'',
		'',
	].join('\r\n');

describe('a service without a configured address', () => {
	let service: RunningService;
	beforeAll(async () => {
		service = await startServer({ port: 0, host: '127.0.0.1' });
	});
	afterAll(() => service.stop());

	const statusLine = async (...hosts: string[]) =>
		(await sendRaw(service.address, request(...hosts))).split('\r\n')[0];

	test.each([
		'127.0.0.1',
		'127.0.0.1:8787',
		'localhost',
		'LOCALHOST:1',
		'[::1]:8787',
		'192.168.1.5',
	])('serves %s', async (host) => {
		expect(await statusLine(host)).toBe('HTTP/1.1 200 OK');
	});

	test.each(['rebound.example.com', 'localhost.example.com', '127.0.0.1.example.com:8787'])(
		'rejects %s, which another site may have pointed at the service',
		async (host) => {
			const response = await sendRaw(service.address, request(host));
			expect(response).toMatch(/^HTTP\/1\.1 400 /);
			expect(response).toContain('set BASE_URL');
		},
	);

	test.each(['999.1.1.1', 'a b', '[::1', 'x:99999', 'a/b', 'user@host', '%00'])(
		'rejects the invalid host %s',
		async (host) => {
			expect(await statusLine(host)).toBe('HTTP/1.1 400 Bad Request');
		},
	);

	test('rejects two Host headers', async () => {
		expect(await statusLine('localhost', 'localhost')).toBe('HTTP/1.1 400 Bad Request');
	});
});

test('a service with a configured address accepts any host from a proxy', async () => {
	const service = await startServer({
		port: 0,
		host: '127.0.0.1',
		baseUrl: 'https://boards.example.com',
	});
	try {
		expect(await sendRaw(service.address, request('boards.example.com'))).toMatch(/ 200 OK/);
		expect(await sendRaw(service.address, request('999.1.1.1'))).toMatch(/ 400 Bad Request/);
	} finally {
		await service.stop();
	}
});
