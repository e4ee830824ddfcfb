import { type BoardStatus, type Fetch, InputError } from 'board-access';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiKey, createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

const wire = {
	id: 'brd_1',
	name: 'Shelf 1',
	board_type: 'esp32-s3',
	status: 'available',
	description: '',
	tags: { rack_number: 'b2', __proto__x: 'y' },
	created_at: '2026-01-02T03:04:05.678Z',
	updated_at: '2026-01-02T03:04:05.678Z',
};

const list = (item: unknown) => {
	service()
		.get('/v1/boards')
		.reply(200, JSON.stringify([item]), {
			'content-type': 'application/json',
		});
	return createClient().boards.list();
};

describe('listing boards', () => {
	it('returns records in camelCase, and does not change the names of tags', async () => {
		expect(await list(wire)).toEqual([
			{
				id: 'brd_1',
				name: 'Shelf 1',
				boardType: 'esp32-s3',
				status: 'available',
				description: '',
				tags: { rack_number: 'b2', __proto__x: 'y' },
				createdAt: wire.created_at,
				updatedAt: wire.updated_at,
			},
		]);
	});

	it('sends the filters', async () => {
		service()
			.get('/v1/boards')
			.query({ board_type: 'esp32-s3', status: 'in_use', limit: '7' })
			.reply(200, []);
		await createClient().boards.list({ boardType: 'esp32-s3', status: 'in_use', pageSize: 7 });
	});

	it('passes an unknown status through, in both directions', async () => {
		service()
			.get('/v1/boards')
			.query({ status: 'on_fire' })
			.reply(200, [{ id: 'a', status: 'on_fire' }]);
		expect(await createClient().boards.list({ status: 'on_fire' as BoardStatus })).toEqual([
			{ id: 'a', status: 'on_fire' },
		]);
	});

	it('keeps unknown fields, in camelCase', async () => {
		const [board] = await list({ id: 'a', firmware_version: { a_b: 1 }, _private: 1, a__b_2: 2 });
		expect(board).toEqual({ id: 'a', firmwareVersion: { a_b: 1 }, _private: 1, a__b2: 2 });
	});

	it('requires only the id', async () => {
		expect(await list({ id: 'a' })).toEqual([{ id: 'a' }]);
		expect(await list({ id: 'a', name: null, tags: null })).toEqual([
			{ id: 'a', name: null, tags: null },
		]);
	});

	it('does not let the name of a field change the prototype', async () => {
		const item = JSON.parse('{"id": "a", "__proto__": {"polluted": true}, "constructor": 1}');
		const [board] = await list(item);
		expect(Object.getPrototypeOf(board)).toBe(Object.prototype);
		expect(board).not.toHaveProperty('polluted');
		expect({}).not.toHaveProperty('polluted');
	});

	it.each([
		[{}, 'at [0].id: must be of type string'],
		[{ id: 5 }, 'at [0].id: must be of type string'],
		[{ id: 'a', tags: { x: 1 } }, 'at [0].tags.x: must be of type string'],
		[{ id: 'a', name: [] }, 'at [0].name: must be of type string'],
		['a', 'at [0]: must be of type object'],
		[null, 'at [0]: must be of type object'],
	])('names the field that makes %j an invalid board', async (item, where) => {
		const error = await errorOf(list(item));
		expect(error).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
		expect(error).toHaveProperty(
			'message',
			`The response does not have the expected form ${where}`,
		);
	});

	it('names the envelope in the message', async () => {
		service()
			.get('/v1/boards')
			.reply(200, { boards: [{ id: 'a' }, {}] });
		expect(await errorOf(createClient().boards.list())).toHaveProperty(
			'message',
			'The response does not have the expected form at boards[1].id: must be of type string',
		);
	});

	it('passes an unknown filter to the service', async () => {
		service().get('/v1/boards').query({ board_type: 'a', new_filter: 'b' }).reply(200, []);
		await createClient().boards.list({ boardType: 'a', newFilter: 'b' } as object);
	});

	it.each([
		['boardtype', 'boardType'],
		['board_types', 'boardType'],
		['Status', 'status'],
		['tag', 'tags'],
		['board_type', 'boardType'],
		['type', 'boardType'],
		['pagesize', 'pageSize'],
	])('rejects the filter %s, because %s is probably meant', async (name, meant) => {
		expect(await errorOf(createClient().boards.list({ [name]: 'x' }))).toMatchObject({
			name: 'InputError',
			message: `${name}: is not a field (did you mean ${meant}?)`,
		});
	});

	it('rejects an invalid filter before anything is sent', async () => {
		const client = createClient();
		const wrong = client.boards.list({ boardType: 5 as never, pageSize: 'x' as never });
		expect(await errorOf(wrong)).toHaveProperty(
			'message',
			'boardType: must be text or a list of text that is not empty; pageSize: must be of type number',
		);
		expect(await errorOf(client.boards.list({ boardType: [] }))).toBeInstanceOf(InputError);
		expect(await errorOf(client.boards.list('x' as never))).toBeInstanceOf(InputError);
	});

	it.each([[new Map([['rack', 'b2']])], [Promise.resolve({ rack: 'b2' })], [new WeakMap()]])(
		'rejects %s as tags, because it would filter nothing',
		async (tags) => {
			const wrong = createClient().boards.list({ tags: tags as never });
			expect(await errorOf(wrong)).toMatchObject({
				name: 'InputError',
				issues: [{ path: 'tags' }],
			});
		},
	);

	it('sends several board types and tags as repeated parameters', async () => {
		service()
			.get('/v1/boards?board_type=esp32-s3&board_type=rp2040&tag=rack%3Ab2&tag=cam%3Aa%3Ab')
			.reply(200, []);
		await createClient().boards.list({
			boardType: ['esp32-s3', 'rp2040'],
			tags: { rack: 'b2', cam: 'a:b' },
		});
	});

	it.each(['status', 'description'])('reads null for %s', async (name) => {
		expect(await list({ id: 'a', [name]: null })).toEqual([{ id: 'a', [name]: null }]);
	});
});

describe('getting a board', () => {
	it('returns the record', async () => {
		service().get('/v1/boards/brd_1').reply(200, wire);
		expect(await createClient().boards.get('brd_1')).toMatchObject({ boardType: 'esp32-s3' });
	});

	it.each(['', '.', '..', 'a/b', 'a\\b', 'a b', `${apiKey}`, undefined as never])(
		'rejects the id %j before anything is sent',
		async (id) => {
			const error = await errorOf(createClient().boards.get(id));
			expect(error).toMatchObject({ name: 'InputError', issues: [{ path: 'id' }] });
			expect(error).not.toHaveProperty('message', expect.stringContaining(apiKey));
		},
	);
});

describe('waiting for a board', () => {
	afterEach(() => {
		vi.useRealTimers();
	});

	const free = { status: 'available' } as const;

	it('returns at once the boards that match already', async () => {
		service().get('/v1/boards').query(free).reply(200, [wire]);
		expect(await createClient().boards.waitFor(free)).toMatchObject([{ boardType: 'esp32-s3' }]);
	});

	it('lets the service respond when the list changes', async () => {
		service().get('/v1/boards').query(free).reply(200, { data: [] }, { etag: '"none"' });
		service()
			.get('/v1/boards')
			.query({ ...free, wait: '20' })
			.matchHeader('if-none-match', '"none"')
			.reply(200, { data: [wire] }, { etag: '"one"' });
		expect(await createClient().boards.waitFor(free)).toHaveLength(1);
	});

	it('continues after a wait without a change, and after temporary failures', async () => {
		vi.useFakeTimers();
		const asked = vi.fn<Fetch>();
		asked.mockResolvedValueOnce(Response.json({ data: [] }, { headers: { etag: '"none"' } }));
		asked.mockResolvedValueOnce(new Response(null, { status: 304 }));
		for (let i = 0; i < 4; i++) asked.mockRejectedValueOnce(new TypeError('lost'));
		asked.mockResolvedValueOnce(Response.json({ data: [wire] }));
		const waiting = createClient({ fetch: asked }).boards.waitFor(free);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(await waiting).toHaveLength(1);
		expect(asked.mock.lastCall?.[1].headers).toHaveProperty('if-none-match', '"none"');
	});

	it('sends at most one request a second to a service that does not wait', async () => {
		vi.useFakeTimers();
		const asked = vi.fn<Fetch>(async () => Response.json([]));
		const waiting = errorOf(
			createClient({ fetch: asked }).boards.waitFor(free, { timeout: 10_500 }),
		);
		await vi.advanceTimersByTimeAsync(11_000);
		expect(await waiting).toMatchObject({ name: 'RequestTimeoutError' });
		expect(asked.mock.calls.length).toBeGreaterThan(8);
		expect(asked.mock.calls.length).toBeLessThan(13);
	});

	it('ends when the caller aborts', async () => {
		const controller = new AbortController();
		const fetch: Fetch = async (url) => {
			if (!url.includes('wait')) return Response.json([]);
			controller.abort(new Error('enough'));
			return await new Promise(() => {});
		};
		const waiting = createClient({ fetch }).boards.waitFor(free, { signal: controller.signal });
		expect(await errorOf(waiting)).toHaveProperty('message', 'enough');
	});

	it.each([
		[{ boardType: 5 as never }, {}, 'InputError'],
		[free, { timeout: -1 }, 'InputError'],
		[free, { headers: { 'a b': 'c' } }, 'InputError'],
	])('rejects %j with the options %j', async (query, options, name) => {
		const error = await errorOf(createClient().boards.waitFor(query, options));
		expect(error).toHaveProperty('name', name);
	});
});
