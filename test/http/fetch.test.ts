// What a custom fetch receives, and what happens to its errors.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { BoardAccess, type BoardAccessOptions, type Fetch, type FetchInit } from 'board-access';
import * as undici from 'undici';
import * as undici7 from 'undici-7';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiKey, baseUrl, createClient, errorOf, otherKey, skipWaits } from '../support/client.ts';

const emptyList = async () => Response.json([]);

/** A server that counts what each Node server option cannot show: the requests and their sockets. */
const listen = async () => {
	const seen: { agent: string | undefined; body: string }[] = [];
	const server = createServer(async (request, response) => {
		const chunks = await request.toArray();
		seen.push({
			agent: request.headers['x-agent']?.toString(),
			body: Buffer.concat(chunks).toString(),
		});
		response.setHeader('content-type', 'application/json').end('{"id":"key_1","data":[]}');
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo; // it listens on a port
	return { seen, baseUrl: `http://127.0.0.1:${port}` };
};

const freePort = async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo; // it listens on a port
	await new Promise((resolve) => server.close(resolve));
	return port;
};

describe('a custom fetch', () => {
	it('is called with the address and the options of the request', async () => {
		const fetch = vi.fn<Fetch>(async () => Response.json({ id: 'key_1', key: otherKey }));
		await createClient({ fetch, headers: { 'X-One': '1' } }).keys.create({ label: 'ci' });
		expect(fetch).toHaveBeenCalledExactlyOnceWith(`${baseUrl}/v1/auth/keys`, {
			method: 'POST',
			headers: {
				accept: 'application/json',
				'user-agent': expect.stringMatching(/^board-access\//),
				'x-one': '1',
				'content-type': 'application/json',
				authorization: `Bearer ${apiKey}`,
			},
			body: '{"label":"ci"}',
			redirect: 'manual',
			signal: expect.any(AbortSignal),
		});
	});

	it('may change the headers without changing those of the next attempt', async () => {
		const seen: string[] = [];
		const fetch: Fetch = async (_, { headers }) => {
			seen.push(String(headers.authorization));
			headers.authorization = 'changed';
			return seen.length === 1 ? new Response('', { status: 503 }) : Response.json([]);
		};
		skipWaits();
		await createClient({ fetch }).boards.list();
		vi.restoreAllMocks();
		expect(seen).toEqual([`Bearer ${apiKey}`, `Bearer ${apiKey}`]);
	});

	it('may return anything with a status, headers and text', async () => {
		const fetch: Fetch = async () => ({
			status: 200,
			headers: new Map([['x-request-id', 'req_1']]),
			text: async () => '[{"id":"brd_1"}]',
		});
		expect(await createClient({ fetch }).boards.list()).toEqual([{ id: 'brd_1' }]);
	});

	it('may return a body of another kind, as node-fetch does', async () => {
		const fetch: Fetch = async () => ({
			status: 200,
			headers: new Map([['content-length', '2']]),
			body: Readable.from(['[]']),
			text: async () => '[]',
		});
		expect(await createClient({ fetch }).boards.list()).toEqual([]);
	});

	it.each([
		['nothing', undefined],
		['a response without headers', { status: 200, text: async (): Promise<unknown> => '[]' }],
		[
			'a status that is not a number',
			{ status: '200', headers: new Map(), text: async (): Promise<unknown> => '[]' },
		],
		[
			'a text that is not text',
			{ status: 200, headers: new Map(), text: async (): Promise<unknown> => 5 },
		],
		[
			'a body that is not bytes, and has no end',
			{
				status: 200,
				headers: new Map(),
				body: {
					getReader: () => ({
						read: async (): Promise<unknown> => ({ done: false, value: 'text' }),
					}),
				},
				text: async (): Promise<unknown> => '[]',
			},
		],
	])('that returns %s is named in the error, and not called again', async (_, response) => {
		const fetch = vi.fn(async () => response);
		const client = createClient({ fetch: fetch as Fetch }); // it is no Fetch, as may happen in JavaScript
		expect(await errorOf(client.keys.create())).toMatchObject({
			code: 'option_invalid',
			outcome: 'unknown',
			message: expect.stringContaining('The option fetch must return status, headers, text()'),
			attempts: { length: 1 },
		});
		expect(fetch).toHaveBeenCalledOnce();
	});

	it.each([
		['nothing that is known', new Error('no agents left')],
		['an invalid argument', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })],
	])('that rejects with %s may have sent the request', async (_, reason) => {
		const fetch = vi.fn<Fetch>(() => Promise.reject(reason));
		// The runtime's own fetch would not accept this option.
		const client = createClient({ fetch, fetchOptions: { mode: 'nonsense' } });
		expect(await errorOf(client.keys.create())).toMatchObject({
			code: 'connection_lost',
			outcome: 'unknown',
			message: expect.stringContaining(reason.message),
			attempts: { length: 1 },
		});
	});

	it('may be that of undici 8 with a dispatcher', async () => {
		const { seen, baseUrl } = await listen();
		const dispatcher = new undici.Agent();
		onTestFinished(() => dispatcher.close());
		const fetch: Fetch = (url, init) => undici.fetch(url, { ...init, dispatcher });
		await createClient({ baseUrl, fetch, headers: { 'x-agent': '8' } }).boards.list();
		expect(seen).toMatchObject([{ agent: '8' }]);
	});

	it('may be that of undici 7 with a dispatcher', async () => {
		const { seen, baseUrl } = await listen();
		const dispatcher = new undici7.Agent();
		onTestFinished(() => dispatcher.close());
		const fetch: Fetch = (url, init) => undici7.fetch(url, { ...init, dispatcher });
		const client = createClient({ baseUrl, fetch });
		await client.request({ method: 'POST', path: '/v1/x', json: { a: 1 } });
		expect(seen).toMatchObject([{ body: '{"a":1}' }]);
	});
});

describe('a proxy that is dead', () => {
	const failureOf = async (options: BoardAccessOptions) => {
		skipWaits();
		const error = await errorOf(createClient(options).keys.create());
		vi.restoreAllMocks();
		expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent' });
		return error;
	};

	it.each([
		['of undici 8', undici],
		['of undici 7', undici7],
	])('is named by its address: that %s', async (_, { ProxyAgent, fetch: send }) => {
		const port = await freePort();
		const dispatcher = new ProxyAgent(`http://127.0.0.1:${port}`);
		const fetch: Fetch = (url, init) => send(url, { ...init, dispatcher } as never);
		expect(await failureOf({ fetch })).toMatchObject({
			code: 'connection_refused',
			message: `Nothing is listening at this address: 127.0.0.1:${port}, the proxy for boards.example.com`,
		});
	});

	it('is named when the fetch of the runtime uses it', async () => {
		const port = await freePort();
		const dispatcher = new undici7.ProxyAgent(`http://127.0.0.1:${port}`);
		const message = expect.stringContaining(`: 127.0.0.1:${port}, the proxy for boards`);
		expect(await failureOf({ fetchOptions: { dispatcher } })).toMatchObject({ message });
	});

	it.each([
		['ECONNREFUSED', 'connect ECONNREFUSED ::1:3128', '::1:3128'],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND proxy.example.com', 'proxy.example.com'],
		['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:8080 - Local (0.0.0.0:0)', '10.0.0.1:8080'],
		[
			'UND_ERR_CONNECT_TIMEOUT',
			'Connect Timeout Error (attempted addresses: 10.0.0.1:3128, 10.0.0.2:3128, timeout: 10000ms)',
			'10.0.0.1:3128',
		],
	])('is named with %s', async (code, message, proxy) => {
		const each = Object.assign(new Error(message), { code });
		const cause = Object.assign(new AggregateError([each, each]), { code });
		const fetch: Fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
		const text = expect.stringMatching(new RegExp(`: ${proxy}, the proxy for boards`));
		expect(await failureOf({ fetch })).toMatchObject({ message: text });
	});

	it.each([
		['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:443'],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND boards.example.com'],
	])('is not suspected when it is the service: %s', async (code, message) => {
		const cause = Object.assign(new Error(message), { code });
		const fetch: Fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
		expect(await failureOf({ fetch })).toMatchObject({
			message: expect.stringMatching(/: boards\.example\.com$/),
		});
	});
});

describe('fetchOptions', () => {
	it('are passed to every call of fetch', async () => {
		const fetch = vi.fn<Fetch>(emptyList);
		const fetchOptions = { keepalive: true, proxy: 'http://proxy.example.com' };
		await createClient({ fetch, fetchOptions }).boards.list();
		expect(fetch.mock.calls[0]?.[1]).toMatchObject(fetchOptions);
	});

	it('reach the runtime, here with a dispatcher', async () => {
		const dispatched: string[] = [];
		const dispatcher = new undici7.MockAgent();
		onTestFinished(() => dispatcher.close());
		dispatcher
			.get(baseUrl)
			.intercept({ path: '/v1/boards' })
			.reply(200, (options) => {
				dispatched.push(options.path);
				return [];
			});
		expect(await createClient({ fetchOptions: { dispatcher } }).boards.list()).toEqual([]);
		expect(dispatched).toEqual(['/v1/boards']);
	});

	it('cannot override what the client sets', async () => {
		const fetch = vi.fn<Fetch>(emptyList);
		const fetchOptions = { method: 'PUT', headers: {}, redirect: 'follow', signal: null };
		await createClient({ fetch, fetchOptions }).boards.list();
		expect(fetch.mock.calls[0]?.[1]).toMatchObject({
			method: 'GET',
			redirect: 'manual',
			headers: { authorization: `Bearer ${apiKey}` },
			signal: expect.any(AbortSignal),
		});
	});

	it.each([
		['fetchOptions', 'x'],
		['fetchOptions', null],
		['fetchOptions', { dispatcher: {} }],
		['fetch', {}],
		['onAttempt', {}],
		['logger', 'console'],
		['logLevel', 'loud'],
		['maxResponseSize', 0],
	])('%s cannot be %j', (name, value) => {
		const construct = () => new BoardAccess({ apiKey, baseUrl, [name]: value });
		expect(construct).toThrow(expect.objectContaining({ code: 'option_invalid' }));
		expect(construct).toThrow(new RegExp(name));
	});
});

describe('a request that was never sent', () => {
	const neverSent = async (fetch: Fetch | undefined, fetchOptions = {}) => {
		const error = await errorOf(createClient({ fetch, fetchOptions }).boards.list());
		expect(error).toMatchObject({
			name: 'ConnectionError',
			code: 'request_not_sent',
			outcome: 'not-sent',
			attempts: { length: 1 },
		});
		return error;
	};

	it('because fetch throws at once, says why', async () => {
		const error = await neverSent(() => {
			throw new RangeError('no agents left');
		});
		expect(error).toHaveProperty('message', 'The request could not be sent: no agents left');
		expect(error).toHaveProperty('cause.name', 'RangeError');
	});

	it('because the runtime rejects an option, says why', async () => {
		const error = await neverSent(undefined, { mode: 'nonsense' });
		expect(error).toHaveProperty('message', expect.stringContaining('nonsense'));
	});

	it('because GET has no body, is invalid input', async () => {
		const work = createClient({ fetch: emptyList }).request({
			method: 'GET',
			path: '/v1/x',
			json: {},
		});
		expect(await errorOf(work)).toMatchObject({
			name: 'InputError',
			issues: [{ path: 'json' }],
			outcome: 'not-sent',
		});
	});
});

describe('errors of another realm, as under Jest', () => {
	const foreign = (code: string): Error =>
		runInNewContext(
			`Object.assign(new TypeError('fetch failed'), {
				cause: Object.assign(new Error('connect'), { code: ${JSON.stringify(code)} }),
			})`,
		);

	it('are recognized by their shape, keep their cause and are retried', async () => {
		skipWaits();
		const fetch = vi.fn<Fetch>(async () => Promise.reject(foreign('ECONNREFUSED')));
		const error = await errorOf(createClient({ fetch }).keys.create());
		vi.restoreAllMocks();
		expect(foreign('x') instanceof Error).toBe(false);
		expect(fetch).toHaveBeenCalledTimes(3);
		expect(error).toMatchObject({
			code: 'connection_refused',
			outcome: 'not-sent',
			cause: { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNREFUSED' } },
		});
	});

	it('headers of another realm are read', async () => {
		const headers = runInNewContext(`new Map([['x-one', '1']])`);
		const fetch = vi.fn<Fetch>(emptyList);
		await createClient({ fetch, headers }).boards.list();
		expect(fetch.mock.calls[0]?.[1].headers).toMatchObject({ 'x-one': '1' });
	});
});

it('advice on certificates comes with a TLS error', async () => {
	const cause = Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
	const fetch: Fetch = async () => Promise.reject(new TypeError('fetch failed', { cause }));
	expect(await errorOf(createClient({ fetch }).boards.list())).toMatchObject({
		code: 'tls_failed',
		hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
	});
});

it('the options of fetch are those of every runtime', () => {
	// Assignable in both directions of use: what the client passes, a runtime takes.
	const runtime: Fetch = globalThis.fetch;
	const init: FetchInit = {
		method: 'GET',
		headers: {},
		redirect: 'manual',
		signal: new AbortController().signal,
	};
	expect(new Request(baseUrl, init).method).toBe('GET');
	expect(runtime).toBe(globalThis.fetch);
});
