import { type Attempt, BoardAccessError } from 'board-access';
import nock from 'nock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, errorOf, otherKey, useMockedService } from '../support/client.ts';

const service = useMockedService();

afterEach(() => {
	vi.useRealTimers();
});

const created = { id: 'key_1', key: otherKey };

const calls = {
	GET: () => createClient().boards.list(),
	DELETE: () => createClient().keys.revoke('key_1'),
	PUT: () => createClient().request({ method: 'PUT', path: '/v1/boards' }),
	POST: () => createClient().keys.create(),
	'POST with an idempotency key': () => createClient().keys.create({}, { idempotencyKey: 'a' }),
	PATCH: () => createClient().request({ method: 'PATCH', path: '/v1/boards' }),
};

const mock = (name: keyof typeof calls) => {
	const method = name.split(' ')[0] ?? '';
	const path = { DELETE: '/v1/auth/keys/key_1', POST: '/v1/auth/keys' }[method] ?? '/v1/boards';
	return service().intercept(path, method);
};

const good = (name: keyof typeof calls) =>
	name.startsWith('POST') ? created : name === 'GET' ? [] : {};

type Fault = number | 'lost' | 'refused' | 'unavailable';

const table: [string, Fault, (keyof typeof calls)[]][] = [
	['429', 429, ['GET', 'DELETE', 'PUT', 'POST', 'POST with an idempotency key', 'PATCH']],
	[
		'a 503 of the service, which has changed nothing',
		'unavailable',
		['GET', 'DELETE', 'PUT', 'POST', 'POST with an idempotency key', 'PATCH'],
	],
	['any other 503', 503, ['GET', 'DELETE', 'PUT', 'POST with an idempotency key']],
	[
		'a refused connection',
		'refused',
		['GET', 'DELETE', 'PUT', 'POST', 'POST with an idempotency key', 'PATCH'],
	],
	['408', 408, ['GET', 'DELETE', 'PUT', 'POST with an idempotency key']],
	['500', 500, ['GET', 'DELETE', 'PUT', 'POST with an idempotency key']],
	['502', 502, ['GET', 'DELETE', 'PUT', 'POST with an idempotency key']],
	['504', 504, ['GET', 'DELETE', 'PUT', 'POST with an idempotency key']],
	['a lost connection', 'lost', ['GET', 'DELETE', 'PUT', 'POST with an idempotency key']],
	['400', 400, []],
	['401', 401, []],
	['402', 402, []],
	['403', 403, []],
	['404', 404, []],
	['409', 409, []],
	['422', 422, []],
	['501', 501, []],
	['505', 505, []],
];

const systemError = (code: string) => Object.assign(new Error(`x ${code}`), { code });

const unavailable = { error: { code: 'unavailable', message: 'Busy.' } };

const failOnce = (name: keyof typeof calls, fault: Fault) => {
	if (fault === 'unavailable') return mock(name).reply(503, unavailable);
	if (typeof fault === 'number') return mock(name).reply(fault, '');
	return mock(name).replyWithError(systemError(fault === 'lost' ? 'ECONNRESET' : 'ECONNREFUSED'));
};

describe.each(table)('after %s', (_, fault, retried) => {
	it.each(Object.keys(calls) as (keyof typeof calls)[])('%s', async (name) => {
		failOnce(name, fault);
		if (retried.includes(name)) {
			mock(name).reply(200, good(name));
			await calls[name]();
		} else {
			expect(await errorOf(calls[name]())).toHaveProperty('attempts.length', 1);
		}
	});
});

describe('retries', () => {
	it('are at most two by default', async () => {
		mock('GET').thrice().reply(502, '');
		expect(await errorOf(calls.GET())).toMatchObject({
			status: 502,
			attempts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }],
		});
	});

	it.each([
		[0, 1],
		[1, 2],
		[4, 5],
	])('are as many as maxRetries: %i', async (maxRetries, tries) => {
		mock('GET').times(tries).reply(502, '');
		const byClient = createClient({ maxRetries }).boards.list();
		expect(await errorOf(byClient)).toHaveProperty('attempts.length', tries);
		mock('GET').times(tries).reply(502, '');
		const byCall = createClient({ maxRetries: 9 }).boards.list({}, { maxRetries });
		expect(await errorOf(byCall)).toHaveProperty('attempts.length', tries);
	});

	it('send the same body and the same idempotency key', async () => {
		const seen: unknown[] = [];
		mock('POST')
			.twice()
			.reply(async (request: Request) => {
				seen.push([await request.clone().json(), request.headers.get('idempotency-key')]);
				return seen.length === 1 ? [500, ''] : [201, created];
			});
		await createClient().keys.create({ label: 'x' }, { idempotencyKey: 'once' });
		expect(seen).toEqual([
			[{ label: 'x' }, 'once'],
			[{ label: 'x' }, 'once'],
		]);
	});

	it('continue while an earlier attempt with the same idempotency key is still running', async () => {
		const running = { error: { code: 'idempotency_in_progress', message: 'Still running.' } };
		mock('POST').reply(503, unavailable);
		mock('POST').reply(409, running);
		mock('POST').reply(201, created);
		await calls['POST with an idempotency key']();

		mock('POST').thrice().reply(409, running);
		expect(await errorOf(calls['POST with an idempotency key']())).toMatchObject({
			code: 'idempotency_in_progress',
			outcome: 'unknown',
			attempts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }],
		});
	});

	it('are not made for an unusable response', async () => {
		mock('GET').reply(200, { data: [{}] });
		expect(await errorOf(calls.GET())).toMatchObject({
			name: 'ResponseError',
			attempts: [{ status: 200 }],
		});
	});

	it('are not made when the certificate is invalid', async () => {
		mock('GET').replyWithError(systemError('DEPTH_ZERO_SELF_SIGNED_CERT'));
		expect(await errorOf(calls.GET())).toMatchObject({
			name: 'ConnectionError',
			code: 'tls_failed',
			outcome: 'not-sent',
			attempts: [{ error: 'tls_failed' }],
		});
	});
});

describe('the waits between attempts', () => {
	const waits = async (random: number, answers: [number, Record<string, string>?][]) => {
		vi.mocked(Math.random).mockReturnValue(random);
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
		const left = answers.map(([status, headers = {}]) => new Response('', { status, headers }));
		const fetch = async () => left.shift() ?? Response.json([]);
		const found: (number | undefined)[] = [];
		const work = createClient({
			fetch,
			maxRetries: 9,
			timeout: 200_000,
			onAttempt: ({ retryInMs }) => found.push(retryInMs),
		})
			.boards.list()
			.then(() => found.slice(0, -1));
		let done = false;
		work.then(() => (done = true));
		while (!done) await vi.advanceTimersByTimeAsync(10);
		return work;
	};

	it('grow twofold from half a second to eight seconds, with jitter', async () => {
		const failures = Array.from({ length: 7 }, (): [number] => [502]);
		expect(await waits(1, failures)).toEqual([750, 1500, 3000, 6000, 8000, 8000, 8000]);
		expect(await waits(0, failures)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
	});

	it('are as long as the service asks, to the millisecond', async () => {
		expect(await waits(0.5, [[429, { 'retry-after': '7' }]])).toEqual([7000]);
		expect(await waits(0.5, [[503, { 'retry-after': '0' }]])).toEqual([625]);
	});

	it('last at most eight seconds after the Retry-After of a proxy', async () => {
		expect(await waits(0.5, [[503, { 'retry-after': '7' }]])).toEqual([7000]);
		expect(await waits(0.5, [[503, { 'retry-after': '45' }]])).toEqual([8000]);
	});

	it('last until the date in Retry-After', async () => {
		const inNineSeconds = new Date(Math.ceil(Date.now() / 1000) * 1000 + 9000).toUTCString();
		const [wait] = await waits(0.5, [[429, { 'retry-after': inNineSeconds }]]);
		expect(wait).toBeGreaterThan(7000);
		expect(wait).toBeLessThanOrEqual(10_000);
	});

	it('do not begin when they exceed the remaining timeout', async () => {
		vi.mocked(Math.random).mockReturnValue(-1.4); // 150 ms
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		const fetch = async () => {
			await vi.advanceTimersByTimeAsync(100);
			return new Response('', { status: 502 });
		};
		const error = await errorOf(createClient({ fetch, timeout: 200 }).boards.list());
		expect(error).toMatchObject({ status: 502, attempts: { length: 1 } });
	});

	it('leave no timer when they are aborted', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		const abort = new AbortController();
		const fetch = async () => new Response('', { status: 429, headers: { 'retry-after': '20' } });
		const client = createClient({ fetch, onAttempt: () => setImmediate(() => abort.abort('x')) });
		await errorOf(client.boards.list({}, { signal: abort.signal }));
		expect(vi.getTimerCount()).toBe(0);
	});

	it('do not begin when the service asks for more than the timeout', async () => {
		// Time stands still.
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		const fetch = async () => new Response('', { status: 429, headers: { 'retry-after': '3600' } });
		const error = await errorOf(createClient({ fetch, timeout: 5000 }).boards.list());
		expect(error).toMatchObject({ status: 429, attempts: [{ attempt: 1 }] });
		expect(error).toHaveProperty('retryAt.getTime');
	});
});

describe('the outcome of a request', () => {
	const outcomeOf = async (...faults: Fault[]) => {
		for (const fault of faults) failOnce('POST with an idempotency key', fault);
		return errorOf(createClient().keys.create({}, { idempotencyKey: 'a' }));
	};

	it.each([
		[['refused', 'refused', 'refused'], 'not-sent'],
		[[400], 'rejected'],
		[['refused', 'unavailable', 400], 'rejected'],
		[['unavailable', 'unavailable', 'refused'], 'rejected'],
		[[500, 'unavailable', 400], 'unknown'],
		[[503, 400], 'unknown'],
		[['lost', 'refused', 'refused'], 'unknown'],
		[['refused', 'refused', 502], 'unknown'],
	] as const)('after %j is %s', async (faults, outcome) => {
		expect(await outcomeOf(...faults)).toMatchObject({
			outcome,
			attempts: { length: faults.length },
		});
	});

	it.each(['lost', 502, 500] as const)('that only reads is never unknown: %s', async (fault) => {
		for (let attempt = 0; attempt < 3; attempt++) failOnce('GET', fault);
		expect(await errorOf(calls.GET())).toMatchObject({ outcome: 'rejected' });
	});
});

describe('connection errors', () => {
	it.each([
		['ECONNREFUSED', 'connection_refused', 'not-sent'],
		['ConnectionRefused', 'connection_refused', 'not-sent'],
		['ENOTFOUND', 'name_not_found', 'not-sent'],
		['EAI_AGAIN', 'name_not_found', 'not-sent'],
		['EHOSTUNREACH', 'unreachable', 'not-sent'],
		['ENETUNREACH', 'unreachable', 'not-sent'],
		['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout', 'not-sent'],
		['CERT_HAS_EXPIRED', 'tls_failed', 'not-sent'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed', 'not-sent'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed', 'not-sent'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed', 'not-sent'],
		['ECONNRESET', 'connection_lost', 'unknown'],
		['UND_ERR_SOCKET', 'connection_lost', 'unknown'],
		['EPIPE', 'connection_lost', 'unknown'],
	])('%s is %s', async (systemCode, code, outcome) => {
		const cause = systemError(systemCode);
		const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
		const error = await errorOf(createClient({ fetch, maxRetries: 0 }).keys.create());
		expect(error).toMatchObject({ name: 'ConnectionError', code, outcome });
		expect(error).toHaveProperty('message', expect.stringContaining('boards.example.com'));
	});

	it.each([
		['error sending request for url (x): client error (Connect): dns error: no', 'name_not_found'],
		[
			'error sending request for url (x): client error (Connect): Connection refused',
			'connection_refused',
		],
		['error sending request for url (x): connection closed', 'connection_lost'],
	])('with the messages of Deno: %s', async (message, code) => {
		const fetch = () => Promise.reject(new TypeError(message));
		expect(await errorOf(createClient({ fetch, maxRetries: 0 }).boards.list())).toMatchObject({
			code,
		});
	});

	it('keep the cause', async () => {
		const cause = systemError('ECONNRESET');
		const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
		expect(await errorOf(createClient({ fetch, maxRetries: 0 }).boards.list())).toMatchObject({
			message: 'The connection to boards.example.com was lost: x ECONNRESET',
			cause: {
				name: 'TypeError',
				message: 'fetch failed',
				stack: expect.stringContaining('retries.test.ts'),
				cause: { code: 'ECONNRESET' },
			},
		});
	});

	it('keep at most five nested causes', async () => {
		const chain = (depth: number): Error =>
			new Error(`${depth}`, depth < 9 ? { cause: chain(depth + 1) } : undefined);
		const fetch = () => Promise.reject(chain(0));
		let error = await errorOf(createClient({ fetch, maxRetries: 0 }).boards.list());
		const messages: string[] = [];
		while (error instanceof Error) {
			messages.push(error.message);
			error = error.cause;
		}
		expect(messages.slice(1)).toEqual(['0', '1', '2', '3', '4']);
	});

	it('result from anything that fetch throws', async () => {
		const fetch = () => Promise.reject('no error at all');
		expect(await errorOf(createClient({ fetch, maxRetries: 0 }).boards.list())).toMatchObject({
			name: 'ConnectionError',
			message: 'The connection to boards.example.com was lost',
		});
	});
});

describe('onAttempt', () => {
	it('receives every attempt', async () => {
		const seen: Attempt[] = [];
		mock('GET').reply(502, '', { 'x-request-id': 'req_1' });
		mock('GET').reply(200, [], { 'x-request-id': 'req_2' });
		await createClient({ onAttempt: (attempt) => seen.push(attempt) }).boards.list();
		const durationMs = expect.toSatisfy((value: number) => value >= 0 && value < 10_000);
		expect(seen).toEqual([
			{
				method: 'GET',
				path: '/v1/boards',
				route: '/v1/boards',
				attempt: 1,
				status: 502,
				requestId: 'req_1',
				error: 'http_502',
				retryInMs: 0,
				durationMs,
			},
			{
				method: 'GET',
				path: '/v1/boards',
				route: '/v1/boards',
				attempt: 2,
				status: 200,
				requestId: 'req_2',
				durationMs,
			},
		]);
	});

	it('receives the same attempts as the error has', async () => {
		const seen: Attempt[] = [];
		mock('GET').twice().reply(503, '');
		nock.cleanAll();
		mock('GET').thrice().reply(503, '');
		const error = await errorOf(
			createClient({ onAttempt: (attempt) => seen.push(attempt) }).boards.list(),
		);
		expect(error).toBeInstanceOf(BoardAccessError);
		expect((error as BoardAccessError).attempts).toEqual(seen);
	});

	it('cannot break a request', async () => {
		mock('GET').reply(200, []);
		const onAttempt = () => {
			throw new Error('the log is full');
		};
		expect(await createClient({ onAttempt }).boards.list()).toEqual([]);
	});

	it('receives an abort', async () => {
		const seen: Attempt[] = [];
		const abort = new AbortController();
		const fetch = async () => {
			abort.abort();
			return new Promise<Response>(() => {});
		};
		const client = createClient({ fetch, onAttempt: (attempt) => seen.push(attempt) });
		await errorOf(client.boards.list({}, { signal: abort.signal }));
		expect(seen).toMatchObject([{ attempt: 1, error: 'aborted' }]);
	});
});
