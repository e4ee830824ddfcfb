// A broken or hostile server causes little cost, and gets no secret.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { BoardAccess, type BoardAccessOptions } from 'board-access';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiKey, createClient, errorOf } from '../support/client.ts';

const listen = async (respond: Parameters<typeof createServer>[1]) => {
	const server = createServer(respond).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo; // it listens on a port
	return (options: BoardAccessOptions = {}) =>
		new BoardAccess({ apiKey, baseUrl: `http://127.0.0.1:${port}`, ...options });
};

const tooLarge = { name: 'ResponseError', code: 'response_too_large', status: 200 };

describe('a body that is too large', () => {
	it('is not decompressed beyond the limit', async () => {
		const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
		let unpacked = 0;
		const client = await listen((_, response) => {
			response.setHeader('content-encoding', 'gzip').end(bomb);
		});
		const before = process.memoryUsage().rss;
		const error = await errorOf(client({ maxRetries: 0 }).boards.list());
		unpacked = process.memoryUsage().rss - before;
		expect(error).toMatchObject({ ...tooLarge, attempts: { length: 1 } });
		expect(unpacked).toBeLessThan(300_000_000);
	});

	it('is not read further than the limit', async () => {
		let closed = false;
		const client = await listen((_, response) => {
			const chunk = Buffer.alloc(65_536, ' ');
			const write = () => {
				while (!closed && response.write(chunk));
			};
			response.on('drain', write).on('close', () => {
				closed = true;
			});
			write();
		});
		const list = client({ maxResponseSize: 1_000_000 }).boards.list();
		expect(await errorOf(list)).toMatchObject({
			...tooLarge,
			message: 'The response is larger than 1000000 bytes',
			hint: expect.stringContaining('maxResponseSize'),
		});
		await expect.poll(() => closed).toBe(true);
	});

	it('is not read when Content-Length exceeds the limit', async () => {
		const client = await listen((_, response) => {
			response.writeHead(200, { 'content-length': '5000', 'x-request-id': 'req_1' }).write('[');
		});
		const list = client({ maxResponseSize: 4999 }).boards.list();
		expect(await errorOf(list)).toMatchObject({ ...tooLarge });
	});

	it('is rejected from one byte above the limit', async () => {
		const fetch = async () => new Response('[{"id":"é"}]');
		expect(await createClient({ fetch, maxResponseSize: 13 }).boards.list()).toHaveLength(1);
		const smaller = createClient({ fetch, maxResponseSize: 12 }).boards.list();
		expect(await errorOf(smaller)).toMatchObject(tooLarge);
	});
});

it('characters that are split between two chunks are joined', async () => {
	const bytes = new TextEncoder().encode('[{"id":"é€😀"}]');
	const fetch = async () =>
		new Response(
			new ReadableStream({
				start(controller) {
					for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
					controller.close();
				},
			}),
		);
	expect(await createClient({ fetch }).boards.list()).toEqual([{ id: 'é€😀' }]);
});

describe('a body that is nested too deep', () => {
	const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
	const deep = nested(100_000);

	it.each([
		['a list', `{"data":[{"id":"a","new":${deep}}]}`],
		['a list with objects', `[{"id":"a","new":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}]`],
	])('is an error: %s', async (_, body) => {
		const fetch = async () => new Response(body);
		expect(await errorOf(createClient({ fetch }).boards.list())).toMatchObject({
			name: 'ResponseError',
			code: 'invalid_response',
			message: expect.stringContaining('nested'),
		});
	});

	it('is an error of a request of any endpoint too, and of an error response', async () => {
		const fetch = async () => new Response(deep);
		const request = { method: 'GET', path: '/v1/x' } as const;
		expect(await errorOf(createClient({ fetch }).request(request))).toMatchObject({
			code: 'invalid_response',
		});
		const failing = async () => new Response(`{"error":${deep}}`, { status: 400 });
		expect(await errorOf(createClient({ fetch: failing }).request(request))).toMatchObject({
			code: 'http_400',
		});
	});

	it('does not apply to the depth of real data', async () => {
		const fetch = async () => new Response(`[{"id":"a","new":${nested(100)}}]`);
		expect(await createClient({ fetch }).boards.list()).toHaveLength(1);
	});
});

describe('the key of the client is removed from an error', () => {
	const digits = apiKey.slice(4);
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	const forms: [string, string][] = [
		['as it is', apiKey],
		['in upper case', apiKey.toUpperCase()],
		['without its prefix', digits],
		['with its prefix percent-encoded', `key%5F${digits}`],
		[
			'percent-encoded throughout',
			[...apiKey].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
		],
		['in base64', base64(apiKey)],
		['in base64 after one character', base64(`:${apiKey}`)],
		['in base64 after two characters', base64(`a:${apiKey}`)],
		['in base64, without its prefix', base64(digits)],
		['in base64 of the header', base64(`Bearer ${apiKey}`)],
	];

	it.each(forms)('%s', async (_, form) => {
		const body = JSON.stringify({ error: { code: 'x', message: `no ${form} x`, hint: form } });
		const headers = { 'x-echo': form, 'x-request-id': form };
		const fetch = async () => new Response(body, { status: 400, headers });
		const error = await errorOf(createClient({ fetch }).boards.list());
		const shown = inspect(error, { depth: 9, showHidden: true }).toLowerCase();
		for (const length of [form.length, 24]) {
			const start = Math.floor((form.length - length) / 2);
			expect(shown).not.toContain(form.slice(start, start + length).toLowerCase());
		}
		expect(shown).toContain('[redacted]');
	});

	it.each(forms)('%s, in the error of a fetch and in a page that is no JSON', async (_, form) => {
		const throwing = async () => Promise.reject(new Error(`cannot send ${form}`));
		const client = createClient({ fetch: throwing, maxRetries: 0 });
		const page = createClient({ fetch: async () => new Response(`<html>${form}`) });
		for (const work of [client.boards.list(), page.boards.list()]) {
			expect(inspect(await errorOf(work), { depth: 9 })).not.toContain(form);
		}
	});
});
