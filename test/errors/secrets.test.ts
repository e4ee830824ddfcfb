// Searches the output of every failure that can be provoked for a key.
import { inspect } from 'node:util';
import { type Attempt, BoardAccess, type Fetch, responseOf } from 'board-access';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { apiKey, errorOf, skipWaits } from '../support/client.ts';

const baseUrl = 'http://localhost';

beforeEach(() => {
	skipWaits();
	return () => vi.restoreAllMocks();
});

/** Everything that can be reached from a value: own and inherited fields, hidden ones, causes, stacks. */
const textsOf = (value: unknown, seen = new Set<unknown>()): string[] => {
	if (typeof value === 'string') return [value];
	if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return [];
	if (seen.has(value)) return [];
	seen.add(value);
	const entries = value instanceof Map || value instanceof Headers ? [...value].flat() : [];
	const fields = Reflect.ownKeys(value).flatMap((name) => {
		const descriptor = Reflect.getOwnPropertyDescriptor(value, name);
		return [String(name), descriptor && 'value' in descriptor ? descriptor.value : undefined];
	});
	return [...entries, ...fields].flatMap((item) => textsOf(item, seen));
};

const everywhere = (value: unknown) =>
	[
		...textsOf(value),
		inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
		String(value),
		JSON.stringify(value) ?? '',
		value instanceof Error ? (value.stack ?? '') : '',
	].join('\n');

const marker = apiKey.slice(4, 20);

const echo =
	(status: number, type = 'application/json') =>
	async () => {
		const body = JSON.stringify({ error: { code: apiKey, message: `no ${apiKey}`, hint: apiKey } });
		const headers = { 'content-type': type, 'x-echo': `Bearer ${apiKey}`, 'x-request-id': apiKey };
		return new Response(body, { status, headers });
	};

/** The same with the key behind escapes, which JSON undoes. */
const escaped = async () => {
	const hidden = apiKey.replace('_', '\\u005f');
	const body = `{"error":{"code":"${hidden}","message":"no ${hidden}","hint":"${hidden}"},"${hidden}":1}`;
	return new Response(body, { status: 400 });
};

const throwing = (error: unknown) => async () => {
	throw error;
};

const withRequest: Fetch = async (url, init) => {
	const request = new Request(url, init);
	const inner = Object.assign(new Error(`inner ${request.headers.get('authorization')}`), {
		request,
	});
	throw Object.assign(new TypeError('fetch failed', { cause: inner }), {
		request,
		config: { headers: Object.fromEntries(request.headers) },
		code: apiKey,
	});
};

const failures: [string, Fetch][] = [
	...[400, 401, 402, 403, 404, 409, 429, 500, 502, 503].map((status): [string, Fetch] => [
		`${status}, with the key in it`,
		echo(status),
	]),
	['an error with the key in it behind escapes', escaped],
	['a web page with the key in it', async () => new Response(`<html>${apiKey}</html>`)],
	['JSON that is cut off', async () => new Response(`{"key": "${apiKey}`)],
	['a record with the key in place of the id', async () => Response.json({ id: { [apiKey]: 1 } })],
	[
		'a redirect to the key',
		async () => new Response('', { status: 302, headers: { location: `/${apiKey}` } }),
	],
	['an error with the request on it', withRequest],
	['an error with the key in it', throwing(new Error(`cannot send ${apiKey}`))],
	['something else thrown', throwing({ headers: { authorization: apiKey } })],
	['no answer', () => new Promise<Response>(() => {})],
	[
		'a body that fails',
		async () => new Response(new ReadableStream({ pull: (c) => c.error(new Error(apiKey)) })),
	],
];

const calls: [string, (client: BoardAccess) => PromiseLike<unknown>][] = [
	['keys.create', (client) => client.keys.create({ label: 'a' })],
	['keys.list', (client) => client.keys.list()],
	['keys.revoke', (client) => client.keys.revoke('key_1')],
	['keys.rotate', (client) => client.keys.rotate('key_1', { label: 'a' })],
	['boards.list', (client) => client.boards.list()],
	['baseImages.create', (client) => client.admin.baseImages.create({ action: 'erase' })],
	['request', (client) => client.request({ method: 'POST', path: '/v1/x' })],
];

describe.each(failures)('after %s', (_, fetch) => {
	it.each(calls)('%s never contains the key', async (_name, call) => {
		const attempts: Attempt[] = [];
		const client = new BoardAccess({
			apiKey,
			baseUrl,
			fetch,
			timeout: 40,
			maxRetries: 1,
			onAttempt: (attempt) => attempts.push(attempt),
		});
		const error = await call(client).then(
			(result) => ({ result: responseFree(result) }),
			(reason: unknown) => reason,
		);
		for (const value of [error, attempts, client, client.keys, client.boards, client.admin]) {
			expect(everywhere(value)).not.toContain(marker);
		}
	});
});

/** A result may contain text of the service; only failures are searched. */
const responseFree = (_result: unknown) => 'succeeded';

describe('the key is never shown', () => {
	it.each([
		['with a break in it', `${apiKey.slice(0, 30)}\n${apiKey.slice(30)}`],
		['in quotes', `"${apiKey}"`],
		['twice', `${apiKey}${apiKey}`],
		['with a letter too many', `${apiKey}z`],
	])('when it is given %s', async (_, value) => {
		const construct = async () => new BoardAccess({ apiKey: value, baseUrl });
		expect(everywhere(await errorOf(construct()))).not.toContain(marker);
		const lazy = new BoardAccess({ apiKey: () => value, baseUrl });
		expect(everywhere(await errorOf(lazy.boards.list()))).not.toContain(marker);
	});

	it('when the function that returns it fails with it', async () => {
		const apiKeyFunction = () => {
			throw new Error(`vault: ${apiKey}`, { cause: new Error(apiKey) });
		};
		const client = new BoardAccess({ apiKey: apiKeyFunction, baseUrl });
		expect(everywhere(await errorOf(client.boards.list()))).not.toContain(marker);
	});

	it('when it is pasted in place of an id, a path or an address', async () => {
		const client = new BoardAccess({ apiKey, baseUrl });
		expect(everywhere(await errorOf(client.keys.revoke(apiKey)))).not.toContain(marker);
		const path = `/v1/auth/keys/${apiKey}`;
		expect(everywhere(await errorOf(client.request({ method: 'GET', path })))).not.toContain(
			marker,
		);
		expect(everywhere(await errorOf(client.boards.get(`brd_${apiKey}`)))).not.toContain(marker);
		const construct = async () =>
			new BoardAccess({ apiKey, baseUrl: `https://${apiKey}@host.example` });
		expect(everywhere(await errorOf(construct()))).not.toContain(marker);
	});

	it('when it is the name of an option, a field or a header', async () => {
		const client = new BoardAccess({ apiKey, baseUrl });
		const wrong = { [apiKey]: {} };
		for (const call of [
			client.boards.list({}, wrong),
			client.boards.list(wrong),
			client.boards.list({ tags: { [apiKey]: 5 as never } }),
			client.boards.list({}, { headers: { [apiKey]: '\n' } }),
			Promise.resolve().then(() => new BoardAccess({ apiKey, baseUrl, ...wrong })),
		]) {
			expect(everywhere(await errorOf(call))).not.toContain(marker);
		}
	});

	it('in a client, however it is printed', () => {
		const client = new BoardAccess({ apiKey, baseUrl });
		expect(everywhere(client)).not.toContain(marker);
		expect(everywhere(client.withOptions({ timeout: 5 }))).not.toContain(marker);
		expect(everywhere({ ...client })).not.toContain(marker);
	});
});

it('the search finds a key that is shown', () => {
	expect(everywhere({ a: [{ b: new Error('x', { cause: new Error(apiKey) }) }] })).toContain(
		marker,
	);
	expect(everywhere(new Headers({ a: apiKey }))).toContain(marker);
	expect(everywhere(Object.defineProperty({}, 'hidden', { value: apiKey }))).toContain(marker);
});

it('redacts the digits of the key if they are the whole text', async () => {
	const headers = { 'x-request-id': apiKey.slice('key_'.length) };
	const fetch: Fetch = async () => new Response('', { status: 400, headers });
	const client = new BoardAccess({ apiKey, baseUrl: 'https://boards.example.com', fetch });
	const error = await errorOf(client.boards.list());
	expect(error).toHaveProperty('requestId', '[redacted]');
	expect(error).toHaveProperty('attempts.0.requestId', '[redacted]');
});

it('redacts the digits of the key in the request ID of a result', async () => {
	const headers = { 'x-request-id': apiKey.slice('key_'.length) };
	const fetch: Fetch = async () => new Response('[]', { headers });
	const client = new BoardAccess({ apiKey, baseUrl: 'https://boards.example.com', fetch });
	expect(responseOf(await client.boards.list())).toHaveProperty('requestId', '[redacted]');
});
