import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type BoardQuery, Listing, responseOf } from 'board-access';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

const page = (ids: string[], next: unknown = null) => ({
	data: ids.map((id) => ({ id })),
	next_cursor: next,
});

const mockPages = (count = 3) => {
	const pages = [page(['a', 'b'], 'p2'), page(['c', 'd'], 'p3'), page(['e'])];
	pages.slice(0, count).forEach((body, index) => {
		service()
			.get('/v1/boards')
			.query(index === 0 ? {} : { cursor: `p${index + 1}` })
			.reply(200, body, { 'x-request-id': `req_${index + 1}` });
	});
};

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe('a listing', () => {
	it('is an array of all records when it is awaited', async () => {
		mockPages();
		const boards = await createClient().boards.list();
		expect(ids(boards)).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(responseOf(boards)).toMatchObject({ status: 200, requestId: 'req_3' });
	});

	it('says how to read it where it is printed', async () => {
		service().get('/v1/boards').reply(200, []);
		const boards = createClient().boards.list();
		const text = 'Listing { await it for an array, or loop over it with for await }';
		expect([inspect(boards), String(boards), inspect([boards], { breakLength: 200 })]).toEqual([
			text,
			text,
			`[ ${text} ]`,
		]);
		expect(await boards).toEqual([]);
	});

	it('is one list, even if its query is changed while it is read', async () => {
		const asked: string[] = [];
		const fetch = async (url: string) => {
			asked.push(new URL(url).search);
			return Response.json(asked.length === 1 ? page(['a'], 'p2') : page(['b']));
		};
		const query: BoardQuery = { status: 'available', pageSize: 1 };
		const boards = createClient({ fetch }).boards.list(query);
		Object.assign(query, { status: 'offline', pageSize: 2 });
		await boards;
		expect(asked).toEqual(['?status=available&limit=1', '?status=available&limit=1&cursor=p2']);
	});

	it('streams', async () => {
		mockPages();
		const seen: string[] = [];
		for await (const board of createClient().boards.list()) seen.push(board.id);
		expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
	});

	it('can be read page by page', async () => {
		mockPages();
		const seen: string[][] = [];
		for await (const page of createClient().boards.list().pages()) {
			seen.push(ids(page.items));
			expect(responseOf(page)?.requestId).toBe(`req_${seen.length}`);
		}
		expect(seen).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
	});

	it('requests its first page at once, before it is awaited', async () => {
		const asked: string[] = [];
		const fetch = async (url: string) => {
			asked.push(new URL(url).pathname);
			return Response.json([]);
		};
		const client = createClient({ fetch });
		const [boards, keys] = [client.boards.list(), client.keys.list()];
		await expect.poll(() => asked.toSorted()).toEqual(['/v1/auth/keys', '/v1/boards']);
		await Promise.all([boards, keys]);
		expect(asked).toHaveLength(2);
	});

	it('is one request, however often it is awaited, caught and read', async () => {
		service()
			.get('/v1/boards')
			.reply(200, [{ id: 'a' }]);
		const list = createClient().boards.list();
		list.catch(() => {});
		list.then(() => {});
		expect(await list).toBe(await list);
		expect(await list.first(1)).toEqual([{ id: 'a' }]);
		for await (const board of list) expect(board.id).toBe('a');
		for await (const { items } of list.pages()) expect(items).toHaveLength(1);
	});

	it('that fails and is never read does not end the process', async () => {
		const unhandled = vi.fn();
		process.on('unhandledRejection', unhandled);
		onTestFinished(() => void process.off('unhandledRejection', unhandled));
		const attempted = Promise.withResolvers<unknown>();
		const fetch = async () => new Response('', { status: 404 });
		createClient({ fetch, onAttempt: attempted.resolve }).boards.list();
		await attempted.promise;
		await nextTurn();
		expect(unhandled).not.toHaveBeenCalled();
	});

	it.each([Number.NaN, -1, 1.5, '2', undefined, Number.POSITIVE_INFINITY])(
		'rejects first(%j)',
		async (count) => {
			const list = Listing.of([1, 2, 3]);
			expect(await errorOf(list.first(count as never))).toMatchObject({
				name: 'InputError',
				issues: [{ path: 'count' }],
			});
		},
	);

	it('continues at the cursor of a page', async () => {
		mockPages();
		const { boards } = createClient();
		const { value: page } = await boards.list().pages().next();
		expect(page).toMatchObject({ nextCursor: 'p2' });
		const rest = boards.list({ cursor: page?.nextCursor });
		expect(ids(await rest)).toEqual(['c', 'd', 'e']);
	});

	it('ends with an error if the list never ends', async () => {
		let count = 0;
		const fetch = async () => Response.json(page([`${count}`], `${++count}`));
		const error = await errorOf(createClient({ fetch }).boards.list());
		expect(error).toMatchObject({ name: 'ResponseError', code: 'too_many_pages' });
		expect(count).toBe(1000);
	});

	it('applies the timeout to each page', async () => {
		const pages = [page(['a'], '1'), page(['b'], '2'), page(['c'])];
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		onTestFinished(() => void vi.useRealTimers());
		const fetch = async () => {
			await vi.advanceTimersByTimeAsync(150);
			return Response.json(pages.shift());
		};
		const boards = await createClient({ fetch, timeout: 400 }).boards.list();
		expect(ids(boards)).toEqual(['a', 'b', 'c']);
	});

	it('requests no page beyond the end of the loop', async () => {
		mockPages(2);
		for await (const board of createClient().boards.list()) if (board.id === 'c') break;
	});

	it.each([
		[0, 1, []],
		[1, 1, ['a']],
		[2, 1, ['a', 'b']],
		[3, 2, ['a', 'b', 'c']],
		[99, 3, ['a', 'b', 'c', 'd', 'e']],
	])('returns the first %i from %i pages', async (count, pages, expected) => {
		mockPages(pages);
		const boards = await createClient().boards.list().first(count);
		expect(ids(boards)).toEqual(expected);
		expect(responseOf(boards)?.requestId).toBe(`req_${pages}`);
	});

	it('can be awaited together with others', async () => {
		mockPages();
		service().get('/v1/auth/keys').reply(200, []);
		const client = createClient();
		const [boards, keys] = await Promise.all([client.boards.list(), client.keys.list()]);
		expect([boards.length, keys.length]).toEqual([5, 0]);
	});

	it('rejects, also with onRejected only', async () => {
		service().get('/v1/boards').reply(403, {});
		const told = await createClient()
			.boards.list()
			.then(undefined, (error: unknown) => error);
		expect(told).toMatchObject({ status: 403 });
	});

	it('can be used as a promise', async () => {
		service().get('/v1/boards').reply(404, {});
		const recovered = await createClient()
			.boards.list()
			.catch(() => []);
		expect(recovered).toEqual([]);
		mockPages();
		let ended = false;
		const boards = await createClient()
			.boards.list()
			.finally(() => {
				ended = true;
			});
		expect([boards.length, ended]).toEqual([5, true]);
	});

	it('fails when the service repeats a cursor', async () => {
		service()
			.get('/v1/boards')
			.reply(200, page(['a'], 'x'));
		service()
			.get('/v1/boards')
			.query({ cursor: 'x' })
			.reply(200, page(['b'], 'y'));
		service()
			.get('/v1/boards')
			.query({ cursor: 'y' })
			.reply(200, page(['c'], 'x'));
		expect(await errorOf(createClient().boards.list())).toMatchObject({
			name: 'ResponseError',
			code: 'cursor_repeated',
		});
	});

	it('sends a cursor unchanged', async () => {
		service()
			.get('/v1/boards')
			.reply(200, page(['a'], 'a+b/c=&d é'));
		service()
			.get('/v1/boards')
			.query({ cursor: 'a+b/c=&d é' })
			.reply(200, page(['b']));
		expect(await createClient().boards.list()).toHaveLength(2);
	});
});

describe('a list response', () => {
	it.each([
		['a bare array', [{ id: 'a' }]],
		...['data', 'boards', 'keys', 'items', 'results'].map((name): [string, unknown] => [
			`the envelope ${name}`,
			{ [name]: [{ id: 'a' }] },
		]),
		['an envelope with a cursor that is no text', { data: [{ id: 'a' }], next_cursor: 5 }],
		['an envelope with an empty cursor', { data: [{ id: 'a' }], next_cursor: '' }],
	])('may be %s', async (_, body) => {
		service()
			.get('/v1/boards')
			.reply(200, body as never);
		expect(await createClient().boards.list()).toEqual([{ id: 'a' }]);
	});

	it.each([{}, { data: {} }, { boards: null }, '"text"', 'null', '5', 'true', ''])(
		'is not %j',
		async (body) => {
			service().get('/v1/boards').reply(200, body, { 'content-type': 'application/json' });
			expect(await errorOf(createClient().boards.list())).toMatchObject({
				name: 'ResponseError',
				message: 'The response is not a list',
			});
		},
	);
});
