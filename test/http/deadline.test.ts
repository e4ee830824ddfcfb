import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import {
	BoardAccess,
	type BoardAccessOptions,
	ConnectionError,
	RequestTimeoutError,
} from 'board-access';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiKey, errorOf, skipWaits } from '../support/client.ts';
import { answer, startSocketServer } from '../support/socket-server.ts';

const closers: (() => void)[] = [];

afterEach(() => {
	for (const close of closers.splice(0)) close();
	vi.restoreAllMocks();
});

const serve = async (onRequest: Parameters<typeof startSocketServer>[0]) => {
	const server = await startSocketServer(onRequest);
	closers.push(server.close);
	const createClient = (options: BoardAccessOptions = {}) =>
		new BoardAccess({ apiKey, baseUrl: server.baseUrl, ...options });
	return { ...server, createClient };
};

const stalledBody =
	'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n[';

/** Time passes when the test says so. */
function useVirtualTime() {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
	onTestFinished(() => void vi.useRealTimers());
	const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
	/** When so many requests have arrived; waits that take no time are over at once. */
	const requested = ({ requests }: { requests: () => number }, count: number) =>
		expect.poll(() => pass(0) && requests()).toBe(count);
	return { pass, requested };
}

const elapsed = async (work: () => Promise<unknown>) => {
	const start = performance.now();
	await work();
	return performance.now() - start;
};

describe('the timeout', () => {
	it.each([
		['no answer at all', () => {}],
		['slow headers', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty')],
		['a stalled body', (socket) => socket.write(stalledBody)],
		[
			'a body that drips',
			(socket) => {
				socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
				const timer = setInterval(() => socket.write('1\r\n \r\n'), 10);
				socket.on('close', () => clearInterval(timer));
			},
		],
	] satisfies [string, Parameters<typeof startSocketServer>[0]][])(
		'ends a request with %s, and its connection',
		async (_, onRequest) => {
			const server = await serve(onRequest);
			const client = server.createClient({ timeout: 80 });
			let error: unknown;
			const took = await elapsed(async () => {
				error = await errorOf(client.boards.list());
			});
			expect(error).toBeInstanceOf(RequestTimeoutError);
			expect(error).toMatchObject({
				code: 'timeout',
				message: 'No complete response within 0.08 s',
				outcome: 'rejected',
				attempts: [{ attempt: 1, error: 'timeout' }],
			});
			expect(took).toBeGreaterThanOrEqual(75);
			await expect.poll(server.openSockets).toBe(0);
		},
	);

	it("has another name than the end of the caller's own time limit", async () => {
		const fetch = () => new Promise<Response>(() => {});
		const client = new BoardAccess({ apiKey, baseUrl: 'http://localhost', fetch });
		const ours = await errorOf(client.boards.list({}, { timeout: 20 }));
		const signal = AbortSignal.timeout(20);
		const theirs = await errorOf(client.boards.list({}, { signal }));
		expect([ours, theirs].map((error) => (error as Error).name)).toEqual([
			'RequestTimeoutError',
			'TimeoutError',
		]);
		expect(theirs).toBe(signal.reason);
	});

	it('covers all attempts together', async () => {
		const server = await serve((socket, count) => {
			if (count === 1) socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n');
		});
		skipWaits();
		const clock = useVirtualTime();
		const failed = errorOf(server.createClient({ timeout: 100 }).boards.list());
		await clock.requested(server, 2);
		clock.pass(100);
		expect(await failed).toMatchObject({
			name: 'RequestTimeoutError',
			attempts: [{ status: 503 }, { error: 'timeout' }],
		});
	});

	it('can be set for one request', async () => {
		const server = await serve(() => {});
		const error = await errorOf(server.createClient().boards.list({}, { timeout: 30 }));
		expect(error).toMatchObject({ message: 'No complete response within 0.03 s' });
	});

	it('ends a request even when fetch ignores the signal', async () => {
		const fetch = () => new Promise<Response>(() => {});
		const client = new BoardAccess({ apiKey, baseUrl: 'http://localhost', fetch, timeout: 20 });
		expect(await errorOf(client.boards.list())).toBeInstanceOf(RequestTimeoutError);
	});
});

describe('the timeout of an attempt', () => {
	it('ends a stalled connection, and the request is retried', async () => {
		skipWaits();
		const server = await serve((socket, count) => {
			socket.write(count === 1 ? stalledBody : answer('[{"id":"a"}]'));
		});
		const clock = useVirtualTime();
		const list = server.createClient({ attemptTimeout: 50 }).boards.list();
		list.catch(() => {});
		await clock.requested(server, 1);
		clock.pass(50);
		await clock.requested(server, 2);
		expect(await list).toEqual([{ id: 'a' }]);
		expect(server.requests()).toBe(2);
	});

	it('can be set for one request, and is in its error', async () => {
		skipWaits();
		const server = await serve(() => {});
		const client = server.createClient();
		expect(await errorOf(client.boards.list({}, { attemptTimeout: 30 }))).toMatchObject({
			message: 'No complete response within 0.03 s',
			attempts: { length: 3 },
		});
		expect(await errorOf(client.boards.list({}, { attemptTimeout: 0 }))).toMatchObject({
			code: 'invalid_input',
			message: expect.stringContaining('attemptTimeout'),
		});
	});

	it('does not make a request happen twice', async () => {
		const server = await serve(() => {});
		const creating = server.createClient({ attemptTimeout: 30 }).keys.create();
		expect(await errorOf(creating)).toMatchObject({
			name: 'RequestTimeoutError',
			outcome: 'unknown',
			attempts: { length: 1 },
		});
	});

	it.each([
		['ten seconds', {}, 10_000],
		['a third of a longer timeout', { timeout: 60_000 }, 20_000],
		['all the time of a shorter timeout', { timeout: 8_000 }, 8_000],
	])('is %s by default', async (_, options, expected) => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		try {
			const durations: number[] = [];
			const client = new BoardAccess({
				apiKey,
				baseUrl: 'http://localhost',
				fetch: () => new Promise<Response>(() => {}),
				onAttempt: ({ durationMs }) => durations.push(durationMs),
				...options,
			});
			const works = [client.boards.list(), client.keys.create()].map(errorOf);
			await vi.advanceTimersByTimeAsync(60_000);
			await Promise.all(works);
			const whole = 'timeout' in options ? options.timeout : 30_000;
			expect(durations[0]).toBe(expected);
			// What cannot be repeated has all the time for its only attempt.
			expect(durations).toContain(whole);
		} finally {
			vi.useRealTimers();
		}
	});
});

describe('an abort', () => {
	const reason = new Error('not needed any more');

	it('before the start sends nothing', async () => {
		const server = await serve(() => {});
		const client = server.createClient();
		const signal = AbortSignal.abort(reason);
		expect(await errorOf(client.keys.create({}, { signal }))).toBe(reason);
		expect(await errorOf(client.boards.list({}, { signal }))).toBe(reason);
		expect(server.requests()).toBe(0);
	});

	it('right after the call sends nothing, whatever fetch does with the signal', async () => {
		const fetch = vi.fn(async () => Response.json([]));
		const client = new BoardAccess({ apiKey, baseUrl: 'http://localhost', fetch });
		const abort = new AbortController();
		const work = errorOf(client.keys.create({}, { signal: abort.signal }));
		abort.abort(reason);
		expect(await work).toBe(reason);
		expect(fetch).not.toHaveBeenCalled();
	});

	it.each([
		['while waiting for the answer', () => {}],
		['during the body', (socket) => socket.write(stalledBody)],
	] satisfies [string, Parameters<typeof startSocketServer>[0]][])(
		'%s rejects with the reason and closes the connection',
		async (_, onRequest) => {
			const server = await serve(onRequest);
			const abort = new AbortController();
			const work = errorOf(server.createClient().boards.list({}, { signal: abort.signal }));
			await expect.poll(server.requests).toBe(1);
			setTimeout(() => abort.abort(reason), 20);
			expect(await work).toBe(reason);
			await expect.poll(server.openSockets).toBe(0);
		},
	);

	it('during a wait ends it at once', async () => {
		const server = await serve((socket) =>
			socket.end('HTTP/1.1 429 Slow\r\nretry-after: 20\r\ncontent-length: 0\r\n\r\n'),
		);
		const abort = new AbortController();
		useVirtualTime();
		const client = server.createClient({
			onAttempt: () => setImmediate(() => abort.abort(reason)),
		});
		expect(await errorOf(client.boards.list({}, { signal: abort.signal }))).toBe(reason);
		expect(server.requests()).toBe(1);
	});

	it('between two pages ends the list', async () => {
		const server = await serve((socket) =>
			socket.write(answer('{"data":[{"id":"a"}],"next_cursor":"x"}')),
		);
		const abort = new AbortController();
		const seen: string[] = [];
		const list = server.createClient().boards.list({}, { signal: abort.signal });
		const loop = async () => {
			for await (const { id } of list) {
				seen.push(id);
				abort.abort(reason);
			}
		};
		expect(await errorOf(loop())).toBe(reason);
		expect(seen).toEqual(['a']);
	});
});

describe('connections', () => {
	it('that are refused have the outcome not-sent', async () => {
		const probe = await startSocketServer(() => {});
		probe.close();
		const client = new BoardAccess({ apiKey, baseUrl: probe.baseUrl, maxRetries: 0 });
		const error = await errorOf(client.keys.create());
		expect(error).toBeInstanceOf(ConnectionError);
		expect(error).toMatchObject({ code: 'connection_refused', outcome: 'not-sent' });
	});

	it('to a port that fetch blocks are not sent, and not retried', async () => {
		const client = new BoardAccess({ apiKey, baseUrl: 'http://127.0.0.1:6667' });
		expect(await errorOf(client.keys.create())).toMatchObject({
			name: 'ConnectionError',
			code: 'port_blocked',
			outcome: 'not-sent',
			attempts: { length: 1 },
		});
	});

	it('that are reset have the outcome unknown', async () => {
		const server = await serve((socket) => socket.resetAndDestroy());
		expect(await errorOf(server.createClient().keys.create())).toMatchObject({
			name: 'ConnectionError',
			code: 'connection_lost',
			outcome: 'unknown',
			attempts: { length: 1 },
		});
	});

	it('that are lost in the middle of a body are retried', async () => {
		const server = await serve((socket, count) =>
			count === 1 ? socket.end(stalledBody) : socket.write(answer('[{"id":"a"}]')),
		);
		skipWaits();
		expect(await server.createClient().boards.list()).toEqual([{ id: 'a' }]);
		expect(server.requests()).toBe(2);
	});

	it('that use another protocol are an error', async () => {
		const server = await serve((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
		const client = server.createClient({ maxRetries: 0 });
		expect(await errorOf(client.boards.list())).toMatchObject({
			name: 'ConnectionError',
			code: 'connection_lost',
		});
	});

	it('without TLS have their own error code', async () => {
		const server = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
		const baseUrl = server.baseUrl.replace('http:', 'https:');
		const client = server.createClient({ baseUrl, maxRetries: 0 });
		expect(await errorOf(client.boards.list())).toMatchObject({
			name: 'ConnectionError',
			code: 'tls_failed',
			outcome: 'not-sent',
		});
	});

	it('are reused for the next request', async () => {
		let sockets = 0;
		const server = createServer((socket) => {
			sockets += 1;
			socket.on('error', () => {});
			socket.on('data', () => socket.write(answer('[]')));
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as { port: number };
		closers.push(() => server.close());
		const client = new BoardAccess({ apiKey, baseUrl: `http://127.0.0.1:${port}` });
		for (let index = 0; index < 5; index++) await client.boards.list();
		expect(sockets).toBeLessThan(5);
	});
});

describe('after a request', () => {
	it('no listener is left on the signal, after 1,000 successful and failed requests', async () => {
		const { signal } = new AbortController();
		let count = 0;
		const fetch = async () =>
			++count % 3 === 0 ? new Response('', { status: 404 }) : Response.json([]);
		const client = new BoardAccess({ apiKey, baseUrl: 'http://localhost', fetch });
		for (let index = 0; index < 1000; index++) {
			await client.boards.list({}, { signal }).then(undefined, () => {});
		}
		expect(count).toBe(1000);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('no timer is left', async () => {
		useVirtualTime();
		const fetch = async () => Response.json([]);
		const client = new BoardAccess({ apiKey, baseUrl: 'http://localhost', fetch });
		await Promise.all(Array.from({ length: 100 }, () => client.boards.list()));
		expect(vi.getTimerCount()).toBe(0);
	});

	it('nothing keeps the process alive', async () => {
		const server = await serve((socket) => socket.write(answer('[]')));
		const script = `
			import { BoardAccess } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
			const client = new BoardAccess({ apiKey: '${apiKey}', baseUrl: '${server.baseUrl}' });
			await client.boards.list();
			process.on('exit', () => console.log(performance.now()));
			console.log(performance.now());
		`;
		const { stdout } = await promisify(execFile)(process.execPath, [
			'--input-type=module',
			'--eval',
			script,
		]);
		const [done = 0, ended = Number.POSITIVE_INFINITY] = stdout.trim().split('\n').map(Number);
		// An idle connection is kept for four seconds.
		expect(ended - done).toBeLessThan(3000);
	});
});
