import { setMaxListeners } from 'node:events';
import type { Board, BoardChange, Fetch, WatchConnection, WatchOptions } from 'board-access';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, errorOf } from '../support/client.ts';

// Loaded in advance: no time passes while it is loaded.
import '../../src/http/send.ts';

/** A service that keeps boards by name, in pages of two, and waits for a change of those whose tags it gets. */
function createService({ canWait = true } = {}) {
	const boards = new Map<string, string>();
	const state = { boards, down: 0, requests: 0, waiting: 0, maxTags: 0 };
	const changed = new EventTarget();
	setMaxListeners(0, changed);
	const pageFrom = (cursor: string) => {
		const after = [...boards].sort().filter(([id]) => id > cursor);
		const data = after.slice(0, 2).map(([id, status]) => ({ id, status }));
		return JSON.stringify({ data, next_cursor: after.length > 2 ? data[1]?.id : null });
	};
	const tagOf = (body: string) => `"${btoa(body)}"`;
	/** The tags of so many pages from the cursor on. */
	const tagsOf = (count: number, start: string) => {
		const tags: string[] = [];
		for (let cursor: string | null = start; cursor !== null && tags.length < count; ) {
			const body = pageFrom(cursor);
			tags.push(tagOf(body));
			cursor = JSON.parse(body).next_cursor;
		}
		return tags.join(', ');
	};
	const fetch: Fetch = async (url, { headers, signal }) => {
		state.requests += 1;
		if (state.down > 0) {
			state.down -= 1;
			throw new TypeError('lost');
		}
		const query = new URL(url).searchParams;
		const read = () => pageFrom(query.get('cursor') ?? '');
		const known = headers['if-none-match'];
		const isKnown = () =>
			known !== undefined && known === tagsOf(known.split(', ').length, query.get('cursor') ?? '');
		if (canWait && known && query.has('wait')) {
			state.maxTags = Math.max(state.maxTags, known.split(', ').length);
			state.waiting += 1;
			const end = Date.now() + Number(query.get('wait')) * 1000;
			while (isKnown() && Date.now() < end && !signal?.aborted) {
				await new Promise<void>((resolve) => {
					const wake = () => {
						clearTimeout(timer);
						resolve();
					};
					const timer = setTimeout(wake, end - Date.now());
					changed.addEventListener('change', wake, { once: true });
					signal?.addEventListener('abort', wake, { once: true });
				});
			}
			state.waiting -= 1;
		}
		const body = read();
		const etag = tagOf(body);
		if (query.has('wait') ? canWait && isKnown() : etag === known)
			return new Response(null, { status: 304, headers: { etag } });
		return new Response(body, { headers: canWait ? { etag } : {} });
	};
	const set = (id: string, status: string | undefined) => {
		if (status === undefined) boards.delete(id);
		else boards.set(id, status);
		changed.dispatchEvent(new Event('change'));
	};
	return { ...state, state, fetch, set };
}

/** Applies the changes of a watch, and checks that each fits to what is known. */
function follow(watch: AsyncIterable<BoardChange>) {
	const known = new Map<string, Board>();
	const seen: string[] = [];
	const ended = (async () => {
		for await (const change of watch) {
			const { type, board } = change;
			expect(known.has(board.id)).toBe(type !== 'added');
			if (type === 'changed') expect(change.before).toEqual(known.get(board.id));
			if (type === 'removed') known.delete(board.id);
			else known.set(board.id, board);
			seen.push(`${type} ${board.id} ${board.status}`);
		}
	})();
	const end = errorOf(ended);
	return {
		known,
		seen,
		end,
		statuses: () => [...known.values()].map(({ id, status }) => [id, status]),
	};
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const start = (service: ReturnType<typeof createService>, options: WatchOptions = {}) => {
	const controller = new AbortController();
	const { boards } = createClient({ fetch: service.fetch });
	const watch = follow(boards.watch({}, { signal: controller.signal, ...options }));
	const pass = async (seconds: number) => await vi.advanceTimersByTimeAsync(seconds * 1000);
	const stop = async () => {
		controller.abort(new Error('enough'));
		await vi.advanceTimersByTimeAsync(0);
		return await watch.end;
	};
	return { ...watch, pass, stop };
};

describe('watching boards', () => {
	it('yields those that there are, then each change as the service responds to it', async () => {
		const service = createService();
		service.set('a', 'available');
		const { seen, pass, stop } = start(service);
		await pass(5);
		expect(seen.splice(0)).toEqual(['added a available']);
		service.set('a', 'in_use');
		service.set('b', 'offline');
		await pass(0.1);
		expect(seen.splice(0)).toEqual(['changed a in_use', 'added b offline']);
		await pass(10);
		service.set('a', undefined);
		await pass(0.1);
		expect(seen).toEqual(['removed a in_use']);
		expect(service.state.requests).toBe(4);
		expect(await stop()).toHaveProperty('message', 'enough');
		expect(vi.getTimerCount()).toBe(0);
	});

	it('notices a change on any page, and requests only what it does not know', async () => {
		const service = createService();
		for (const id of 'abcdef') service.set(id, 'available');
		const { seen, pass, stop } = start(service);
		await pass(5);
		expect(seen.splice(0)).toHaveLength(6);
		expect({ ...service.state }).toMatchObject({ requests: 4, waiting: 1 });
		service.set('f', 'in_use');
		await pass(0.1);
		expect(seen).toEqual(['changed f in_use']);
		await pass(1);
		expect({ ...service.state }).toMatchObject({ requests: 7, waiting: 1 });
		await stop();
		expect(service.state.waiting).toBe(0);
	});

	it('ends at once when it is aborted, also while its changes are read slowly', async () => {
		const service = createService();
		for (const id of 'abcdef') service.set(id, 'available');
		const controller = new AbortController();
		const { signal } = controller;
		const read: string[] = [];
		const reading = (async () => {
			const { boards } = createClient({ fetch: service.fetch });
			for await (const { board } of boards.watch({}, { signal })) {
				read.push(board.id);
				controller.abort(new Error('enough'));
			}
		})();
		expect(await errorOf(reading)).toHaveProperty('message', 'enough');
		expect(read).toEqual(['a']);
	});

	it('leaves nothing behind after break', async () => {
		const service = createService();
		service.set('a', 'available');
		const { boards } = createClient({ fetch: service.fetch });
		for await (const { board } of boards.watch({}, { timeout: 60_000 })) {
			expect(board.id).toBe('a');
			break;
		}
		expect(vi.getTimerCount()).toBe(0);
	});

	it('sends at most one request a second to a service that does not wait', async () => {
		const service = createService({ canWait: false });
		service.set('a', 'available');
		const { seen, pass, stop } = start(service);
		await pass(5);
		service.set('a', 'in_use');
		await pass(5);
		expect(seen).toEqual(['added a available', 'changed a in_use']);
		expect(service.state.requests).toBeLessThan(13);
		await stop();
	});

	it('watches a long list with a request for each ten pages', async () => {
		const service = createService();
		const ids = Array.from({ length: 50 }, (_, index) => `board-${index + 10}`);
		for (const id of ids) service.set(id, 'available');
		const { seen, pass, stop } = start(service);
		await pass(10);
		expect(service.state).toMatchObject({ waiting: 3, maxTags: 10 });
		await pass(25);
		seen.splice(0);
		for (const id of [ids[1], ids[20], ids[49]]) service.set(id ?? '', 'in_use');
		await pass(1);
		expect(seen.sort()).toEqual(
			['changed board-11', 'changed board-30', 'changed board-59'].map((text) => `${text} in_use`),
		);
		await pass(10);
		expect(service.state.waiting).toBe(3);
		await stop();
		expect(service.state.waiting).toBe(0);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('leaves half of the requests of a minute to others, however long the list is', async () => {
		const service = createService();
		for (let id = 10; id < 50; id += 1) service.set(`board-${id}`, 'available');
		const { pass, stop } = start(service);
		await pass(10);
		const { requests } = service.state;
		for (let change = 0; change < 120; change += 1) {
			service.set('board-45', change % 2 ? 'available' : 'in_use');
			await pass(0.5);
		}
		expect(service.state.requests - requests).toBeLessThan(310);
		await stop();
	});

	it('reads large pages, whose tags fit into one request, whatever pageSize is', async () => {
		const urls: string[] = [];
		const fetch: Fetch = async (url) => {
			urls.push(url);
			return new Response('{"data":[{"id":"a"}],"next_cursor":null}');
		};
		const { boards } = createClient({ fetch });
		for await (const _ of boards.watch({ pageSize: 1 })) break;
		expect(urls).toEqual([expect.stringContaining('limit=200')]);
	});

	it('keeps no process alive that no longer asks for changes', async () => {
		const service = createService();
		service.set('a', 'available');
		const { boards } = createClient({ fetch: service.fetch });
		const changes = boards.watch()[Symbol.asyncIterator]();
		await changes.next();
		expect(vi.getTimerCount()).toBe(0);
	});

	it('fails after an outage of more than a minute, and when its time is up', async () => {
		const service = createService();
		const { end, pass } = start(service);
		await pass(5);
		service.state.down = 1e9;
		await pass(120);
		expect(await end).toHaveProperty('code', 'connection_lost');
		const { boards } = createClient({ fetch: createService().fetch });
		const timed = follow(boards.watch({}, { timeout: 5_000 }));
		await pass(6);
		expect(await timed.end).toMatchObject({
			code: 'timeout',
			message: 'No end of the watch within 5 s',
		});
	});

	it('says that the connection is lost and back, and goes on for as long as it may', async () => {
		const service = createService();
		service.set('a', 'available');
		const reported: WatchConnection[] = [];
		const onConnection = (connection: WatchConnection) => void reported.push(connection);
		const { seen, pass, stop } = start(service, { maxOutageMs: 300_000, onConnection });
		await pass(5);
		service.state.down = 1e9;
		await pass(200);
		expect(reported).toEqual([
			{ connected: false, error: expect.objectContaining({ code: 'connection_lost' }) },
		]);
		service.state.down = 0;
		service.set('a', 'in_use');
		await pass(20);
		expect(reported.slice(1)).toEqual([{ connected: true }]);
		expect(seen).toEqual(['added a available', 'changed a in_use']);
		await stop();
	});

	it('fails at once if no outage is allowed', async () => {
		const service = createService();
		const { end, pass } = start(service, { maxOutageMs: 0 });
		service.state.down = 1e9;
		await pass(5);
		expect(await end).toHaveProperty('code', 'connection_lost');
	});

	it.each([
		[{ boardType: 5 as never }, {}, 'InputError'],
		[{ boardType: '' }, {}, 'InputError'],
		[{}, { maxOutageMs: -1 }, 'InputError'],
		[{}, { timeout: -1 }, 'InputError'],
	])('rejects %j with the options %j', async (query, options, name) => {
		const { boards } = createClient({ fetch: createService().fetch });
		expect(await follow(boards.watch(query, options)).end).toHaveProperty('name', name);
	});

	it('adds up to the list of the service, whatever happens', async () => {
		const id = fc.constantFrom(...'abcdefgh');
		const status = fc.constantFrom('available', 'in_use', undefined);
		const change = fc.record({ id, status });
		const outage = fc.record({ down: fc.integer({ min: 1, max: 5 }) });
		const time = fc.record({ seconds: fc.constantFrom(0, 0.1, 0.9, 3, 25) });
		const steps = fc.array(fc.oneof({ weight: 4, arbitrary: change }, outage, time), {
			maxLength: 40,
		});
		await fc.assert(
			fc.asyncProperty(steps, async (history) => {
				const service = createService();
				const { statuses, pass, stop } = start(service);
				for (const step of history) {
					if ('id' in step) service.set(step.id, step.status);
					else if ('down' in step) service.state.down += step.down;
					else await pass(step.seconds);
				}
				service.state.down = 0;
				await pass(100);
				expect(statuses().sort()).toEqual([...service.boards].sort());
				await stop();
				expect(vi.getTimerCount()).toBe(0);
			}),
			{ numRuns: 60 },
		);
	});
});
