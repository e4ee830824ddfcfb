import { responseOf } from 'board-access';
import { describe, expect, it } from 'vitest';
import { createClient, errorOf, useMockedService } from './support/client.ts';

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

const ids = (items: { id: string }[]) => items.map(({ id }) => id);

describe('a listing', () => {
	it('gives an array of everything when it is awaited', async () => {
		mockPages();
		const boards = await createClient().boards.list();
		expect(ids(boards)).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(responseOf(boards)).toMatchObject({ status: 200, requestId: 'req_3' });
	});

	it('streams', async () => {
		mockPages();
		const seen: string[] = [];
		for await (const board of createClient().boards.list()) seen.push(board.id);
		expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
	});

	it('goes page by page', async () => {
		mockPages();
		const seen: string[][] = [];
		for await (const page of createClient().boards.list().pages()) {
			seen.push(ids(page.items));
			expect(responseOf(page)?.requestId).toBe(`req_${seen.length}`);
		}
		expect(seen).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
	});

	it('fetches nothing until it is looked at', () => {
		createClient().boards.list();
	});

	it('fetches no page further than the loop goes', async () => {
		mockPages(2);
		for await (const board of createClient().boards.list()) if (board.id === 'c') break;
	});

	it.each([
		[0, 0, []],
		[-1, 0, []],
		[1, 1, ['a']],
		[2, 1, ['a', 'b']],
		[3, 2, ['a', 'b', 'c']],
		[99, 3, ['a', 'b', 'c', 'd', 'e']],
	])('gives the first %i from %i pages', async (count, pages, expected) => {
		mockPages(pages);
		const boards = await createClient().boards.list().first(count);
		expect(ids(boards)).toEqual(expected);
		expect(responseOf(boards)?.requestId).toBe(pages === 0 ? undefined : `req_${pages}`);
	});

	it('can be awaited together with others', async () => {
		mockPages();
		service().get('/v1/auth/keys').reply(200, []);
		const client = createClient();
		const [boards, keys] = await Promise.all([client.boards.list(), client.keys.list()]);
		expect([boards.length, keys.length]).toEqual([5, 0]);
	});

	it('fetches anew each time', async () => {
		const list = createClient().boards.list();
		service()
			.get('/v1/boards')
			.reply(200, [{ id: 'a' }]);
		expect(ids(await list)).toEqual(['a']);
		service()
			.get('/v1/boards')
			.reply(200, [{ id: 'b' }]);
		expect(ids(await list)).toEqual(['b']);
	});

	it('rejects, and tells those who only listen for that', async () => {
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

	it('ends with an error when a cursor comes again', async () => {
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

	it('sends a cursor as it came', async () => {
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

describe('a list answer', () => {
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
				message: 'The answer is not a list',
			});
		},
	);
});
