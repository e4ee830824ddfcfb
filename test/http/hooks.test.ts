// A hook that sees each request before it is sent, and how it ends.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Attempt, FetchInit, OutgoingRequest, RequestEnd, RequestHook } from 'board-access';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiKey, createClient, errorOf, otherKey, skipWaits } from '../support/client.ts';

function recording(...responses: Response[]) {
	const sent: FetchInit[] = [];
	const fetch = async (_url: string, init: FetchInit) => {
		sent.push(init);
		return responses.shift() ?? Response.json({ id: 'brd_1' });
	};
	return { sent, fetch };
}

describe('onRequest', () => {
	it('sees each request once, without the key, and adds headers to all its attempts', async () => {
		skipWaits();
		const { sent, fetch } = recording(new Response('', { status: 503 }));
		const seen: OutgoingRequest[] = [];
		const onRequest: RequestHook = (request) => {
			seen.push(structuredClone(request));
			request.headers.Traceparent = '00-1';
			request.headers['X-Client'] = 'replaced';
		};
		const client = createClient({ fetch, onRequest, headers: { 'x-client': 'mine' } });
		await client.boards.get('brd_1');
		expect(seen).toEqual([
			{
				method: 'GET',
				path: '/v1/boards/brd_1',
				route: '/v1/boards/{id}',
				url: 'https://boards.example.com/v1/boards/brd_1',
				headers: expect.objectContaining({ accept: 'application/json', 'x-client': 'mine' }),
			},
		]);
		expect(JSON.stringify(seen)).not.toContain(apiKey);
		expect(sent).toHaveLength(2);
		for (const { headers } of sent) {
			expect(headers).toMatchObject({ traceparent: '00-1', 'x-client': 'mine' });
			expect(headers.authorization).toBe(`Bearer ${apiKey}`);
		}
	});

	it('does not see the query', async () => {
		const urls: string[] = [];
		const onRequest: RequestHook = ({ url }) => urls.push(url);
		await createClient({ fetch: async () => Response.json([]), onRequest }).boards.list({
			boardType: 'esp32-s3',
		});
		expect(urls).toEqual(['https://boards.example.com/v1/boards']);
	});

	it('does not see a key that is in a header of the caller, which is sent', async () => {
		const { sent, fetch } = recording();
		const seen: unknown[] = [];
		const onRequest: RequestHook = ({ headers }) => seen.push({ ...headers });
		const client = createClient({ fetch, onRequest, headers: { 'x-other': `key ${otherKey}` } });
		await client.boards.get('brd_1');
		expect(seen).toEqual([expect.objectContaining({ 'x-other': 'key key_[redacted]' })]);
		expect(sent[0]?.headers).toMatchObject({ 'x-other': `key ${otherKey}` });
	});

	it('cannot replace the key', async () => {
		const { sent, fetch } = recording();
		const onRequest: RequestHook = ({ headers }) => {
			headers.Authorization = 'Bearer other';
		};
		await createClient({ fetch, onRequest }).boards.get('brd_1');
		expect(sent[0]?.headers).toMatchObject({ authorization: `Bearer ${apiKey}` });
		expect(Object.keys(sent[0]?.headers ?? {})).not.toContain('Authorization');
	});

	it('learns how the request ends, but not its result', async () => {
		skipWaits();
		const ends: RequestEnd[] = [];
		const attempts: Attempt[] = [];
		const onRequest: RequestHook = async (_request, send) => {
			ends.push(await send((attempt) => attempts.push(attempt)));
		};
		const created = { id: 'key_1', key: otherKey };
		const { fetch } = recording(
			Response.json(created, { status: 201 }),
			new Response('', { status: 502 }),
			new Response('', { status: 404 }),
		);
		const client = createClient({ fetch, onRequest });
		expect(await client.keys.create()).toMatchObject(created);
		const error = await errorOf(client.boards.get('brd_1'));
		expect(ends).toEqual([{}, { error }]);
		expect(attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
			[1, 201],
			[1, 502],
			[2, 404],
		]);
		expect(JSON.stringify([ends, attempts])).not.toContain(otherKey);
	});

	it('learns that a wait for the next attempt was aborted', async () => {
		const { fetch } = recording(new Response('', { status: 503, headers: { 'retry-after': '5' } }));
		const abort = new AbortController();
		const ends: RequestEnd[] = [];
		const onRequest: RequestHook = async (_request, send) => {
			ends.push(await send(() => setImmediate(() => abort.abort(reason))));
		};
		const reason = new Error('no longer wanted');
		const client = createClient({ fetch, onRequest });
		await errorOf(client.boards.get('brd_1', { signal: abort.signal }));
		expect(ends).toEqual([{ error: reason }]);
	});

	it.each<[string, RequestHook]>([
		['throws', () => Promise.reject(new Error('broken')).then(() => {})],
		[
			'throws at once',
			() => {
				throw new Error('broken');
			},
		],
		['never ends', () => new Promise(() => {})],
		['sends twice', async (_request, send) => [await send(), await send()]],
		['sends and does not wait', (_request, send) => void send()],
		['sends, then throws', (_request, send) => send().then(() => Promise.reject(new Error('x')))],
		[
			'adds a header that is not valid',
			({ headers }) => void Object.assign(headers, { 'a b': 'c' }),
		],
		['adds what is no text', ({ headers }) => void Object.assign(headers, { a: 1, b: undefined })],
		[
			'adds headers of the connection',
			({ headers }) =>
				void Object.assign(headers, {
					'Content-Length': '5',
					...{ connection: 'close', te: 'trailers', 'transfer-encoding': 'chunked', host: 'other' },
					...{ expect: '100-continue', upgrade: 'h2c', 'proxy-authorization': 'Basic x' },
				}),
		],
		[
			'makes the headers throw',
			(request) =>
				void Object.defineProperty(request, 'headers', {
					get: () => {
						throw new Error('broken');
					},
				}),
		],
		['removes the headers', (request) => void Object.assign(request, { headers: undefined })],
		['removes headers', ({ headers }) => void delete headers.accept],
	])('that %s does not change the request', async (_what, onRequest) => {
		const unhandled = vi.fn();
		process.on('unhandledRejection', unhandled);
		onTestFinished(() => void process.off('unhandledRejection', unhandled));
		const without = recording();
		await createClient({ fetch: without.fetch }).boards.get('brd_1');
		const { sent, fetch } = recording(
			Response.json({ id: 'brd_1' }),
			new Response('', { status: 404 }),
		);
		const client = createClient({ fetch, onRequest });
		expect(await client.boards.get('brd_1')).toEqual({ id: 'brd_1' });
		expect(await errorOf(client.boards.get('brd_2'))).toMatchObject({ status: 404 });
		expect(sent).toHaveLength(2);
		expect(sent[0]?.headers).toEqual(without.sent[0]?.headers);
		await nextTurn();
		expect(unhandled).not.toHaveBeenCalled();
	});
});
