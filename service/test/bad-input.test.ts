// Whatever it receives, the service responds with an error and keeps running.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../test/support/runs.ts';
import { type Backend, inProcess, onPostgres, onSqlite } from './support/backends.ts';
import { sendRaw } from './support/raw.ts';
import { openPage, sendForm, sessionOf } from './web/support/lab.ts';

let inside: Backend;
let outside: Backend;
beforeAll(async () => {
	const limits = {
		rateLimitPerKey: 1e9,
		rateLimitPerAccount: 1e9,
		rateLimitFailedCredentials: 1e9,
	};
	inside = await onSqlite.open(limits);
	outside = await onPostgres.open(limits);
});
afterAll(async () => {
	await inside.close();
	await outside.close();
});

const json = fc.oneof(
	fc.json({ noUnicodeString: false }),
	fc.string({ unit: 'binary' }),
	fc.constantFrom('', '[]', 'null', '{"label":"\\u0000"}', '{"__proto__":{"label":1}}', '\uFEFF{}'),
	fc.nat(20_000).map((depth) => '['.repeat(depth)),
	fc.nat(20_000).map((depth) => `{"label":${'['.repeat(depth)}${']'.repeat(depth)}}`),
);

const safeJson = (fields: unknown) =>
	JSON.stringify(fields, (_name, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ??
	'';

const header = fc.string({ unit: fc.constantFrom(...'key_0123456789abcdef Bearer:;,=\t"\u00e9') });
const path = fc.oneof(
	fc.constantFrom('/v1/boards', '/v1/auth/keys', '/v1/admin/base-images', '/v1/auth/keys/key_0'),
	fc.webPath().map((tail) => `/v1/auth/keys${tail}`),
	fc.constantFrom(
		'/v1/../v1/boards',
		'/v1//boards',
		'/v1/auth/keys/%00',
		'/v1/auth/keys/%ff',
		'/%',
	),
);
const query = fc.oneof(
	fc.constant(''),
	fc.webQueryParameters().map((text) => `?${text}`),
	fc.string().map((text) => `?cursor=${encodeURIComponent(text)}`),
	fc
		.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer()))
		.map((parts) => `?cursor=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`),
	fc.string().map((text) => `?limit=${encodeURIComponent(text)}`),
);

const anyRequest = fc.record({
	path,
	query,
	method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'),
	body: json,
	withKey: fc.boolean(),
	authorization: header,
	idempotencyKey: header,
	contentType: fc.oneof(fc.constant('application/json'), header),
	cookie: fc.oneof(
		fc.constant(''),
		header.map((text) => `board_access.session_token=${text}`),
	),
});

// One request in twenty is valid, so that the invalid ones reach a service under load.
const creation = fc.record({
	path: fc.constant('/v1/auth/keys'),
	query: fc.constant(''),
	method: fc.constant('POST' as const),
	body: fc.record({ label: fc.string({ maxLength: 200 }) }).map(safeJson),
	withKey: fc.constant(true),
	authorization: fc.constant(''),
	idempotencyKey: fc.constant(''),
	contentType: fc.constant('application/json'),
	cookie: fc.constant(''),
});
const requests = fc.oneof(
	{ weight: 19, arbitrary: anyRequest },
	{ weight: 1, arbitrary: creation },
);

const send = (
	backend: Backend,
	wanted: typeof requests extends fc.Arbitrary<infer Each> ? Each : never,
) => {
	const { method } = wanted;
	const headers = new Headers();
	const set = (name: string, text: string) => text.trim() && headers.set(name, text);
	set('authorization', wanted.withKey ? `Bearer ${backend.apiKey}` : wanted.authorization);
	set('idempotency-key', wanted.idempotencyKey);
	set('content-type', wanted.contentType);
	set('cookie', wanted.cookie);
	const bodiless = method === 'GET' || method === 'HEAD';
	return backend.fetch(`${backend.baseUrl}${wanted.path}${wanted.query}`, {
		method,
		headers,
		...(!bodiless && { body: wanted.body }),
	});
};

test('generated requests cause no internal error, and memory stays bounded', {
	timeout: 120_000,
	tags: 'generated',
}, async () => {
	const statuses = new Set<number>();
	const started = process.memoryUsage().rss;
	await fc.assert(
		fc.asyncProperty(requests, async (wanted) => {
			const response = await send(inside, wanted);
			await response.text();
			statuses.add(response.status);
			expect(response.status).toBeLessThan(500);
		}),
		{ numRuns: runs(1_000), endOnFailure: true },
	);
	expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 415]));
	expect(process.memoryUsage().rss - started).toBeLessThan(300e6);
});

test('1,000 generated requests over a socket cause no internal error on PostgreSQL', {
	tags: 'long',
}, async () => {
	await fc.assert(
		fc.asyncProperty(requests, async (wanted) => {
			const response = await send(outside, wanted);
			await response.text();
			expect(response.status).toBeLessThan(500);
		}),
		{ numRuns: 1_000, endOnFailure: true },
	);
});

test.each([
	['/v1/boards?board_type=%00', 'GET', undefined],
	['/v1/boards/%00', 'GET', undefined],
	['/v1/leases/%00', 'GET', undefined],
	['/v1/leases/%00/renew', 'POST', undefined],
	['/v1/admin/leases/%00', 'DELETE', undefined],
	['/v1/admin/base-images', 'POST', { description: '\0' }],
	['/v1/admin/base-images', 'POST', { url: 'https://example.com/\0' }],
])('a NUL in %s %s is refused', async (path, method, fields) => {
	const image = { action: 'erase', board_type: 'x', name: 'y', ...fields };
	for (const backend of [inside, outside]) {
		const response = await backend.send(path, {
			method,
			headers: { 'content-type': 'application/json' },
			...(fields && { body: JSON.stringify(image) }),
		});
		expect(response.status).toBe(400);
	}
});

test('a NUL within a list of a body is rejected', async () => {
	const images = [{ action: 'erase', name: 'y', description: '\0' }];
	for (const backend of [inside, outside]) {
		const response = await backend.send('/v1/admin/base-images', {
			method: 'PUT',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ board_type: 'x', images }),
		});
		expect([response.status, (await response.json()).error.param]).toEqual([400, 'images']);
	}
});

const nested = (depth: number): unknown[] => (depth === 0 ? [] : [nested(depth - 1)]);
const secret = `key_${'a1'.repeat(24)}`;

test.each([
	['half of a character', { name: 'a\ud800' }, 'name', 'must not contain half of a character'],
	['half of one in a name', { tags: { '\udc00': 'x' } }, 'tags', /half of a character/],
	['a key as a name', { tags: { [secret]: 1 } }, /^tags\.key_/, /^(?!.*a1a1a1a1a1a1a1a1)/],
])('%s is rejected', async (_what, fields, path, message) => {
	const { fetch, baseUrl, apiKey } = inside;
	const response = await fetch(`${baseUrl}/v1/admin/boards`, {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ name: 'a', board_type: 'x', ...fields }),
	});
	const { error } = await response.json();
	expect(response.status).toBe(400);
	const text = (wanted: string | RegExp) =>
		typeof wanted === 'string' ? wanted : expect.stringMatching(wanted);
	expect(error.errors).toEqual([{ path: text(path), message: expect.anything() }]);
	expect(error.message).toEqual(
		typeof message === 'string' ? `${path} ${message}.` : text(message),
	);
});

test('a field that is ignored must not be nested deeply either', async () => {
	const response = await inside.send('/v1/admin/base-images', {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'idempotency-key': 'deep' },
		body: JSON.stringify({ action: 'erase', board_type: 'x', name: 'y', id: nested(3_000) }),
	});
	expect([response.status, (await response.json()).error.param]).toEqual([400, 'id']);
});

test.each(['__proto__', 'constructor', 'toString'])(
	'a query named %s is rejected',
	async (name) => {
		const response = await inside.send(`/v1/boards?${name}=x`);
		expect([response.status, (await response.json()).error.param]).toEqual([400, name]);
	},
);

test('a key in the wrong place is not repeated in the response', async () => {
	const { apiKey } = inside;
	const queries = [apiKey, `${apiKey}&${apiKey}`, `${'x'.repeat(60)}${apiKey}`];
	for (const text of queries) {
		const response = await inside.send(`/v1/boards?${text}`);
		expect(response.status).toBe(400);
		expect(await response.text()).not.toContain(apiKey.slice(0, 20));
	}
});

test.each([
	'http:///x',
	'http://',
	'https:\\\\example.com',
	'https://user:pw@example.com/',
	'https://@example.com/',
	'https://example.com/a b',
	'https://example.com/a\tb',
	'https://example.com/a\n',
	' https://example.com/',
	'https://exam\u0085ple.com/',
	'https://example.com/\x7f',
])('a base image is not found at %j', async (url) => {
	const image = { action: 'flash', board_type: 'x', name: 'y', url };
	const response = await inside.send('/v1/admin/base-images', {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(image),
	});
	expect([response.status, (await response.json()).error.param]).toEqual([400, 'url']);
});

test('a NUL in the address or the form of a page is rejected', async () => {
	for (const { open } of inProcess) {
		const backend = await open();
		const cookie = sessionOf(await sendForm(backend, '/login', backend.login));
		const pages = ['/boards?q=%00', '/boards?board_type=a%00', '/keys/revoke?id=%00'];
		const forAdmins = ['/admin/accounts/%00', '/admin/accounts?q=%00'];
		for (const path of [...pages, ...forAdmins]) {
			expect([path, (await openPage(backend, path, cookie)).status]).toEqual([path, 400]);
		}
		const forms: [string, Record<string, string>][] = [
			['/login', { email: 'a\0@example.com', password: 'a long sentence' }],
			['/keys', { label: 'ci', token: '\0' }],
			['/admin/boards/new', { name: 'a', board_type: 'x', description: '\0' }],
			['/admin/boards/new', { name: 'a', board_type: 'x', tags: 'b:\0' }],
		];
		for (const [path, fields] of forms) {
			const { status } = await sendForm(backend, path, fields, cookie);
			expect([path, status]).toEqual([path, 400]);
		}
		await backend.close();
	}
});

const head = (line: string, ...headers: string[]) =>
	[line, 'Host: localhost', ...headers, '', ''].join('\r\n');

test.each([
	['no HTTP at all', '\0\x01\x02\r\n\r\n'],
	['no host', 'GET /v1/boards HTTP/1.1\r\n\r\n'],
	['a strange host', 'GET /v1/boards HTTP/1.1\r\nHost: a b/../c\r\n\r\n'],
	['an absolute address', head('GET http://evil.example/v1/boards HTTP/1.1')],
	['a path that climbs', head('GET /../../etc/passwd HTTP/1.1')],
	['a path that is no path', head('GET v1/boards HTTP/1.1')],
	['a path of bad escapes', head('GET /v1/%zz%00 HTTP/1.1')],
	['an unknown method', head('BREW /v1/boards HTTP/1.1')],
	['a tunnel', head('CONNECT evil.example:443 HTTP/1.1')],
	['a trace', head('TRACE /v1/boards HTTP/1.1')],
	['a huge header', head('GET / HTTP/1.1', `X: ${'x'.repeat(100_000)}`)],
	['two lengths', head('POST /v1/auth/keys HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2')],
	[
		'a length and chunks',
		head('POST /v1/auth/keys HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
	],
	['a bad chunk', `${head('POST /v1/auth/keys HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n`],
	['a length that lies', `${head('POST /v1/auth/keys HTTP/1.1', 'Content-Length: 5')}{`],
	[
		'a body that breaks off',
		() =>
			`${head('POST /v1/auth/keys HTTP/1.1', `Authorization: Bearer ${outside.apiKey}`, 'Content-Type: application/json', 'Content-Length: 9')}{`,
	],
	['an upgrade', head('GET /v1/boards HTTP/1.1', 'Connection: upgrade', 'Upgrade: websocket')],
	[
		'an expectation',
		head('POST /v1/auth/keys HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 2'),
	],
])('%s on the socket causes no internal error', async (_what, given) => {
	const text = typeof given === 'string' ? given : given();
	const response = await sendRaw(outside.baseUrl, text, { patience: 300 });
	expect(response).not.toMatch(/^HTTP\/1\.1 5/);
	expect((await outside.send('/v1/boards')).status).toBe(200);
});

test('an endless body is cut off', async () => {
	const headers = {
		authorization: `Bearer ${outside.apiKey}`,
		'content-type': 'application/json',
	};
	let sent = 0;
	const body = new ReadableStream({
		pull(controller) {
			sent += 16_384;
			controller.enqueue(new Uint8Array(16_384).fill(32));
		},
	});
	const init = { method: 'POST', headers, body, duplex: 'half' };
	// `duplex` is not yet in the types.
	const response = await fetch(`${outside.baseUrl}/v1/auth/keys`, init as RequestInit).catch(
		() => undefined,
	);
	if (response) expect(response.status).toBe(413);
	expect(sent).toBeLessThan(20e6);
});

test('the service still responds with 200 half-open connections', async () => {
	const open = Array.from({ length: 200 }, () =>
		sendRaw(outside.baseUrl, 'GET /v1/boards HTTP/1.1\r\nHost: x', { patience: 800 }),
	);
	expect((await outside.send('/v1/boards')).status).toBe(200);
	await Promise.all(open);
});

test('none of these requests was counted as an internal error', async () => {
	expect(await outside.services.metrics.text()).toContain('status="4');
	expect(await outside.services.metrics.text()).not.toContain('status="5');
});
