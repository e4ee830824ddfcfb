// Whatever a server sends, a request returns a result of its type or a documented error.
import { type BoardAccess, BoardAccessError } from 'board-access';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { runs } from '../support/runs.ts';

const names = fc.constantFrom(
	...['id', 'key', 'label', 'data', 'boards', 'items', 'next_cursor', 'error', 'code', 'message'],
	...['errors', 'path', 'tags', 'status', 'hint', 'param', 'title', 'detail', 'request_id'],
	...['__proto__', 'constructor', 'toString', 'then', 'created_at', '_', 'a_b', ''],
);

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
	json: fc.oneof(
		{ maxDepth: 4 },
		fc.constantFrom(null, true, 0, -1.5, 1e308, '', 'key_1', 'flash'),
		fc.string(),
		fc.array(tie('json'), { maxLength: 4 }),
		fc.array(fc.tuple(names, tie('json')), { maxLength: 6 }).map(Object.fromEntries),
	),
}));

const body = fc.oneof(
	json.map((value) => JSON.stringify(value)),
	json.chain((value) => {
		const text = JSON.stringify(value);
		return fc.nat(text.length).map((length) => text.slice(0, length));
	}),
	fc.string({ unit: 'binary' }),
	fc.constantFrom('<html></html>', '\uFEFF{}', '[]]', 'NaN', '{"a":1}{"b":2}', '[[[[[[[[[['),
);

const headers = fc.dictionary(
	fc.constantFrom('retry-after', 'x-request-id', 'content-type', 'location', 'x-other'),
	fc.oneof(
		fc.constantFrom('0', '1', '-1', '9'.repeat(30), 'Fri, 31 Dec 1999 23:59:59 GMT', 'text/html'),
		fc.string({ unit: 'grapheme-ascii' }).map((text) => text.trim()),
	),
);

const status = fc.oneof(
	fc.constantFrom(200, 201, 202, 301, 302, 307, 400, 401, 402, 404, 429, 500, 502, 503),
	fc.integer({ min: 200, max: 599 }),
);

type Call = (client: BoardAccess) => PromiseLike<unknown>;

const isRecord = (value: unknown) => typeof (value as { id?: unknown } | null)?.id === 'string';

const calls: [string, Call, (result: unknown) => boolean][] = [
	[
		'boards.list',
		(c) => c.boards.list(),
		(result) => Array.isArray(result) && result.every(isRecord),
	],
	[
		'keys.list',
		(c) => c.keys.list().first(3),
		(result) => Array.isArray(result) && result.every(isRecord),
	],
	[
		'keys.create',
		(c) => c.keys.create(),
		(result) => isRecord(result) && typeof (result as { key: unknown }).key === 'string',
	],
	['keys.revoke', (c) => c.keys.revoke('key_1'), isRecord],
	['baseImages.create', (c) => c.admin.baseImages.create({ action: 'erase' }), isRecord],
	['request', (c) => c.request({ method: 'GET', path: '/x' }), () => true],
];

describe.each(calls)('%s', (_, call, isResult) => {
	it('returns a result or a documented error for any response', { tags: 'generated' }, async () => {
		const property = fc.asyncProperty(status, headers, body, async (code, extra, text) => {
			const empty = [204, 205, 304].includes(code);
			const fetch = async () => new Response(empty ? null : text, { status: code, headers: extra });
			const client = createClient({ fetch, maxRetries: 0 });
			const ended = await call(client).then(
				(result) => ({ result }),
				(error: unknown) => ({ error }),
			);
			if ('result' in ended) {
				expect(isResult(ended.result)).toBe(true);
			} else {
				expect(ended.error).toBeInstanceOf(BoardAccessError);
				const { message, code: word, attempts } = ended.error as BoardAccessError;
				expect(message.length).toBeLessThan(500);
				expect(message).not.toMatch(/[\n\p{Cc}]/u);
				expect(word).not.toBe('');
				expect(attempts).toHaveLength(word === 'cursor_repeated' ? 0 : 1);
			}
			expect({}).not.toHaveProperty('id');
		});
		await fc.assert(property, { numRuns: runs(200) });
	});
});

describe('an id of a key', () => {
	it('never changes the path or host of a request', async () => {
		let path = '';
		const fetch = async (url: string) => {
			path = new URL(url).pathname;
			return new Response(null, { status: 204 });
		};
		const client = createClient({ fetch, baseUrl: 'https://boards.example.com/lab' });
		const id = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.string().map((text) => `key_${text}`),
		);
		const property = fc.asyncProperty(id, async (text) => {
			path = '/lab/v1/auth/keys/none';
			await client.keys.revoke(text).catch((error: unknown) => {
				expect(error).toBeInstanceOf(BoardAccessError);
			});
			expect(path).toMatch(/^\/lab\/v1\/auth\/keys\/[^/]+$/);
		});
		await fc.assert(property, { numRuns: 2000 });
	});
});

describe('an error of the service', () => {
	const messageFor = async (message: string, errors: object[]) => {
		const body = { error: { code: 'invalid_request', message, errors } };
		const fetch = async () => Response.json(body, { status: 400 });
		const client = createClient({ fetch, maxRetries: 0 });
		const error: unknown = await client.boards.list().catch((error: unknown) => error);
		expect(error).toBeInstanceOf(BoardAccessError);
		return (error as BoardAccessError).message;
	};

	it('keeps its text, even where a replacement would treat it as a pattern', async () => {
		const issues = ["a$'", 'b$&', 'c$`'].map((name) => ({ path: name, message: 'is unknown' }));
		const sentences = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
		expect(await messageFor(sentences, issues)).toBe(sentences);
	});

	it('costs little, however many issues it has', async () => {
		const issues = Array.from({ length: 100_000 }, () => ({ path: 'aab', message: '' }));
		const few = await messageFor('a'.repeat(2_000), issues.slice(0, 100));
		// To search all of it for each issue would take minutes.
		expect(await messageFor('a'.repeat(2_000_000), issues)).toBe(few);
	});
});
