import { getEventListeners } from 'node:events';
import type { BoardAccess, LeaseInput, LeaseProgress } from 'board-access';
import { responseOf } from 'board-access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorOf, skipWaits } from '../support/client.ts';
import { createLeaseService, type LeaseService } from '../support/lease-service.ts';

let service: LeaseService;
let client: BoardAccess;

beforeEach(() => {
	skipWaits();
	service = createLeaseService();
	client = service.createClient();
});

afterEach(() => {
	vi.restoreAllMocks();
});

const bodyOf = (request: { body: Uint8Array } | undefined) =>
	JSON.parse(new TextDecoder().decode(request?.body));

const releases = () => service.requests('DELETE /v1/leases');

/** The lease with fields that this version does not know. */
const recordWith = async (fields: object) =>
	Response.json({ ...(await service.seen().json()), ...fields });

/** The response to the next request for a lease follows when this is done. */
const waiting = () =>
	expect.poll(() => service.requests('GET /v1/leases').length).toBeGreaterThan(0);

describe('creating a lease', () => {
	it('lasts 2 minutes and has an idempotency key by default', async () => {
		await using lease = await client.leases.create({ boardType: 'arduino-uno', waitMs: 60_000 });
		const [request] = service.requests('POST /v1/leases');
		expect(bodyOf(request)).toEqual({
			board_type: 'arduino-uno',
			minutes: 2,
			wait_seconds: 60,
			heartbeat: true,
		});
		expect(request?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
		expect(lease).toMatchObject({ id: 'lse_1', status: 'active', boardId: 'brd_1', minutes: 2 });
		expect(JSON.parse(JSON.stringify(lease))).toMatchObject({ id: 'lse_1', queuePosition: null });
		expect(responseOf(lease)).toMatchObject({ status: 201 });
	});

	it.each(['', 'a/b', '..'])('is rejected if the service sends the id %j', async (id) => {
		await using _ = await client.leases.create({ boardType: 'arduino-uno' });
		const lease = await (await service.seen()).json();
		service.faults.push(async ({ method }) =>
			method === 'POST' ? Response.json({ ...lease, id }, { status: 201 }) : undefined,
		);
		const error = await errorOf(client.leases.create({ boardType: 'arduino-uno' }));
		expect(error).toMatchObject({ message: expect.stringMatching(/^id: /) });
		service.faults.length = 0;
	});

	describe('with as many leases as the account may have', () => {
		const limited = (times = Number.POSITIVE_INFINITY) =>
			service.faults.push(({ method, path }) =>
				method === 'POST' && path === '/v1/leases' && times-- > 0
					? service.failure(409, 'lease_limit', 'It has lse_7, lse_8.')
					: undefined,
			);
		const requests = () => service.requests('POST /v1/leases');

		it('waits for a place as it waits for a board', async () => {
			limited(3);
			const onLeaseLimit = vi.fn();
			const wanted = { boardType: 'arduino-uno', waitMs: 60_000 };
			await using lease = await client.leases.create(wanted, { onLeaseLimit });
			expect(lease.status).toBe('active');
			expect(requests()).toHaveLength(4);
			expect(onLeaseLimit).toHaveBeenCalledExactlyOnceWith(
				expect.objectContaining({ code: 'lease_limit', message: 'It has lse_7, lse_8.' }),
			);
		});

		it('asks every few seconds until the wait is over, and then names the limit', async () => {
			vi.restoreAllMocks();
			vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
			try {
				limited();
				const creating = errorOf(client.leases.create({ boardType: 'x', waitMs: 60_000 }));
				await vi.advanceTimersByTimeAsync(60_000);
				expect(await creating).toMatchObject({ name: 'ApiError', code: 'lease_limit' });
				expect(requests().length).toBeGreaterThan(15);
				expect(requests().length).toBeLessThan(35);
				const waits = requests().map((request) => bodyOf(request).wait_seconds);
				expect(waits).toEqual([...waits].sort((one, other) => other - one));
				expect([waits[0], waits.at(-1)]).toEqual([60, 0]);
			} finally {
				vi.useRealTimers();
			}
		});

		it('sends the same request each time with an idempotency key of the caller', async () => {
			limited(1);
			const options = { idempotencyKey: 'build 7' };
			await using _ = await client.leases.create({ boardType: 'x', waitMs: 1_500 }, options);
			const [first, second] = requests().map(bodyOf);
			expect(second).toEqual(first);
		});

		it('fails at once if it does not wait', async () => {
			limited();
			const error = await errorOf(client.leases.create({ boardType: 'x' }));
			expect(error).toMatchObject({ code: 'lease_limit' });
			expect(requests()).toHaveLength(1);
		});

		it('can be interrupted', async () => {
			vi.restoreAllMocks();
			limited();
			const interruption = new AbortController();
			const { signal } = interruption;
			const onLeaseLimit = () => interruption.abort(new Error('enough'));
			const wanted = { boardType: 'x', waitMs: 3_600_000 };
			const error = await errorOf(client.leases.create(wanted, { signal, onLeaseLimit }));
			expect(error).toMatchObject({ message: 'enough' });
		});
	});

	it('leaves the minutes to the service when the lease does not renew itself', async () => {
		const lease = await client.leases.create({ boardId: 'brd_7' }, { renew: false });
		expect(bodyOf(service.requests('POST /v1/leases')[0])).toEqual({
			board_id: 'brd_7',
			heartbeat: true,
		});
		expect(lease.minutes).toBe(10);
	});

	it('waits in the queue and for the preparation, and reports each change', async () => {
		service.enqueue(2);
		const seen: unknown[] = [];
		const onProgress = ({ lease, steps }: LeaseProgress) =>
			seen.push([
				lease.status,
				lease.queuePosition,
				...steps.map(({ name, status }) => [name, status]),
			]);
		const creating = client.leases.create({ boardType: 'arduino-uno' }, { onProgress });
		await waiting();
		service.change({ status: 'preparing', queue_position: null, board_id: 'brd_1' });
		const step = service.addAction('flash', { phase: 'prepare', name: 'Bootloader' });
		await expect.poll(() => seen).toHaveLength(2);
		service.finish(step, 'done');
		service.addAction('reset');
		service.change({ status: 'active' });
		await using lease = await creating;
		expect(lease).toMatchObject({ status: 'active', boardId: 'brd_1' });
		expect(seen).toEqual([
			['queued', 2],
			['preparing', null, ['Bootloader', 'queued']],
			['active', null, ['Bootloader', 'done']],
		]);
	});

	it('ignores what onProgress throws', async () => {
		const onProgress = () => {
			throw new Error('a bug of the watcher');
		};
		await using lease = await client.leases.create({ boardId: 'brd_1' }, { onProgress });
		expect(lease.status).toBe('active');
	});

	it('uses long polling', async () => {
		service.enqueue(1);
		const creating = client.leases.create({ boardType: 'arduino-uno' });
		await waiting();
		service.change({ status: 'active' });
		await using _ = await creating;
		const [request] = service.requests('GET /v1/leases');
		expect(Object.fromEntries(request?.query ?? [])).toEqual({ wait: '20', status: 'queued' });
	});

	it('keeps waiting through temporary errors', async () => {
		service.enqueue(1);
		let failed = 0;
		service.faults.push(({ method }) => {
			if (method !== 'GET' || ++failed > 6) return undefined;
			return failed % 2 ? service.lost() : service.failure(500, 'internal', 'Oh');
		});
		const creating = client.leases.create({ boardType: 'arduino-uno' });
		await expect.poll(() => failed).toBeGreaterThan(6);
		service.change({ status: 'active' });
		await using lease = await creating;
		expect(lease.status).toBe('active');
	});

	it('does not poll faster while the lease has an unknown status', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
		try {
			const [board_id, now] = ['brd_1', new Date().toISOString()];
			const board = { board_id, started_at: now, expires_at: now };
			let status = 'calibrating';
			service.faults.push(({ method }) =>
				method === 'GET' ? recordWith({ ...board, status }) : undefined,
			);
			service.enqueue(1);
			const creating = client.leases.create({ boardType: 'arduino-uno' });
			await vi.advanceTimersByTimeAsync(10_000);
			expect(service.requests('GET /v1/leases').length).toBeLessThanOrEqual(12);
			status = 'active';
			await vi.advanceTimersByTimeAsync(1_000);
			expect(await creating).toMatchObject({ status: 'active' });
			await (await creating).release();
		} finally {
			vi.useRealTimers();
		}
	});

	it.each([
		['its timeout', 'RequestTimeoutError', () => ({ timeout: 100 })],
		['an abort', 'TimeoutError', () => ({ signal: AbortSignal.timeout(100) })],
	])('with a status that it does not know ends with %s', async (_, name, options) => {
		service.enqueue(1);
		service.faults.push(({ method }) =>
			method === 'GET' ? recordWith({ status: 'calibrating' }) : undefined,
		);
		const creating = client.leases.create({ boardType: 'arduino-uno' }, options());
		expect(await errorOf(creating)).toMatchObject({ name });
		expect(releases()).toHaveLength(1);
	});

	it('rejects with the same error when no board became available in time', async () => {
		service.enqueue(1);
		const creating = errorOf(client.leases.create({ boardType: 'arduino-uno' }));
		await waiting();
		service.end('no_board', 'No board became available in time.');
		expect(await creating).toMatchObject({
			name: 'NoBoardError',
			code: 'no_board_available',
			outcome: 'rejected',
			leaseId: 'lse_1',
			message: 'No board became available in time.',
		});
		expect(releases()).toHaveLength(0);
	});

	it('rejects with an error of its own when no board is available', async () => {
		service.faults.push(() => service.failure(409, 'no_board_available', 'All 3 are busy.'));
		const error = await errorOf(client.leases.create({ boardType: 'arduino-uno' }));
		expect(error).toMatchObject({
			name: 'NoBoardError',
			code: 'no_board_available',
			outcome: 'rejected',
			message: 'All 3 are busy.',
			attempts: [{ status: 409 }],
			cause: { name: 'ApiError', status: 409 },
		});
	});

	it('rejects with the reason when the lease ends before it is active', async () => {
		service.enqueue(1);
		const creating = errorOf(client.leases.create({ boardType: 'arduino-uno' }));
		await waiting();
		service.end('prepare_failed', 'The board could not be erased.');
		expect(await creating).toMatchObject({
			name: 'LeaseEndedError',
			reason: 'prepare_failed',
			message: 'The lease lse_1 has ended: The board could not be erased.',
		});
	});

	it('checks its input before anything is sent', async () => {
		// @ts-expect-error a number is needed
		const error = await errorOf(client.leases.create({ boardType: 'x', waitMs: '10' }));
		expect(error).toMatchObject({ name: 'InputError', issues: [{ path: 'waitMs' }] });
		// @ts-expect-error a board is needed
		expect(await errorOf(client.leases.create())).toMatchObject({ name: 'InputError' });
		expect(service.requests('POST /v1/leases')).toEqual([]);
	});

	it('takes its times in milliseconds, rounded up', async () => {
		const lease = { boardType: 'arduino-uno', durationMs: 90_001, waitMs: 1 };
		await client.leases.create(lease, { renew: false });
		const [request] = service.requests('POST /v1/leases');
		expect(bodyOf(request)).toMatchObject({ minutes: 2, wait_seconds: 1 });
	});

	it.each([
		['neither a board type nor a board', {}, 'boardType'],
		['null for both', { boardType: null, boardId: null }, 'boardType'],
		['a board type and a board', { boardType: 'x', boardId: 'brd_1' }, 'boardType'],
		['minutes', { boardType: 'x', minutes: 1 }, 'minutes'],
		['seconds', { boardType: 'x', waitSeconds: 0 }, 'waitSeconds'],
		['an empty board type', { boardType: '' }, 'boardType'],
		['a blank board', { boardId: ' ' }, 'boardId'],
		['no duration', { boardType: 'x', durationMs: 0 }, 'durationMs'],
		['a duration below zero', { boardType: 'x', durationMs: -1 }, 'durationMs'],
		['a wait without end', { boardType: 'x', waitMs: Number.POSITIVE_INFINITY }, 'waitMs'],
	])('rejects %s before anything is sent', async (_, input, path) => {
		const error = await errorOf(client.leases.create(input as LeaseInput));
		expect(error).toMatchObject({ name: 'InputError', issues: [{ path }] });
		expect(service.requests('POST /v1/leases')).toEqual([]);
	});

	it.each([
		['boardType', 'board_type'],
		['createdAt', 'created_at'],
	])('rejects a lease of the service without %s', async (_, name) => {
		service.faults.push(({ method }) =>
			method === 'POST' ? recordWith({ [name]: undefined }) : undefined,
		);
		service.enqueue(1);
		const error = await errorOf(client.leases.create({ boardId: 'brd_1' }));
		expect(error).toMatchObject({
			code: 'invalid_response',
			message: expect.stringContaining(name),
		});
	});

	it('rejects and releases an active lease without a board', async () => {
		service.enqueue(1);
		service.change({ status: 'active', board_id: null });
		const error = await errorOf(client.leases.create({ boardId: 'brd_1' }));
		expect(error).toMatchObject({ code: 'invalid_response' });
		expect(service.requests('DELETE /v1/leases')).toHaveLength(1);
	});

	it.each([0, -1, Number.NaN, 2 ** 31])(
		'refuses the timeout %d before it does anything',
		async (timeout) => {
			const { signal } = new AbortController();
			const creating = client.leases.create({ boardId: 'brd_1' }, { timeout, signal });
			expect(await errorOf(creating)).toMatchObject({
				name: 'InputError',
				issues: [{ path: 'timeout' }],
			});
			expect(getEventListeners(signal, 'abort')).toEqual([]);
			expect(service.requests('POST /v1/leases')).toEqual([]);
		},
	);

	it('accepts the fields of a returned lease', async () => {
		const lease = await client.leases.create({ boardId: 'brd_7' }, { renew: false });
		const { boardType, minutes } = lease;
		const durationMs = minutes * 60_000;
		const again = { boardType, durationMs, label: null, boardId: null };
		await client.leases.create(again, { renew: false });
		expect(bodyOf(service.requests('POST /v1/leases')[1])).toEqual({
			board_type: 'arduino-uno',
			minutes: 10,
			heartbeat: true,
		});
	});
});

describe('a creation whose responses are all lost', () => {
	/** The lease is created, and the response is lost. */
	const loseCreations = (count: number) => {
		let left = count;
		service.lateFaults.push(({ method }) =>
			method === 'POST' && left-- > 0 ? service.lost() : undefined,
		);
	};

	it('finds the lease by its key and releases it', async () => {
		loseCreations(6);
		const error = await errorOf(client.leases.create({ boardId: 'brd_1' }));
		expect(error).toMatchObject({ code: 'connection_lost', attempts: { length: 6 } });
		expect(error).toMatchObject({ outcome: 'rejected' });
		const keys = service
			.requests('POST /v1/leases')
			.map(({ headers }) => headers.get('idempotency-key'));
		expect(new Set(keys).size).toBe(1);
		expect(releases()).toHaveLength(1);
	});

	it('fails with an unknown outcome if the lease cannot be found either', async () => {
		loseCreations(100);
		const creating = client.leases.create({ boardId: 'brd_1' }, { maxRetries: 0 });
		expect(await errorOf(creating)).toMatchObject({ outcome: 'unknown' });
		expect(releases()).toEqual([]);
	});

	it('is found after an abort, too', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
		try {
			const abort = new AbortController();
			let stalled = 0;
			service.lateFaults.push(({ method }) =>
				method === 'POST' && ++stalled === 1 ? new Promise<Response>(() => {}) : undefined,
			);
			const { signal } = abort;
			const creating = errorOf(client.leases.create({ boardId: 'brd_1' }, { signal }));
			await vi.advanceTimersByTimeAsync(100);
			const reason = new Error('not needed any more');
			abort.abort(reason);
			await vi.advanceTimersByTimeAsync(1_000);
			expect(await creating).toBe(reason);
			expect(releases()).toHaveLength(1);
		} finally {
			vi.useRealTimers();
		}
	});

	it('is found by its key and released when a proxy responds with 503, too', async () => {
		let left = 3;
		service.lateFaults.push(({ method }) =>
			method === 'POST' && left-- > 0 ? new Response('', { status: 503 }) : undefined,
		);
		const creating = client.leases.create({ boardId: 'brd_1' }, { renew: false, maxRetries: 0 });
		expect(await errorOf(creating)).toMatchObject({ status: 503, outcome: 'rejected' });
		expect(releases()).toHaveLength(1);
	});

	it('does not have the outcome rejected after a 503 of a proxy if the lease cannot be found', async () => {
		service.lateFaults.push(({ method }) =>
			method === 'POST' ? new Response('', { status: 503 }) : undefined,
		);
		const creating = client.leases.create({ boardId: 'brd_1' }, { maxRetries: 0 });
		expect(await errorOf(creating)).toMatchObject({ status: 503, outcome: 'unknown' });
	});

	it('is not repeated when the service rejected it', async () => {
		service.faults.push(() => service.failure(402, 'credits_exhausted', 'No credits are left.'));
		await errorOf(client.leases.create({ boardId: 'brd_1' }));
		expect(service.requests('POST /v1/leases')).toHaveLength(1);
	});
});

describe('an abort of a creation', () => {
	const reason = new Error('not needed any more');

	it('releases it, rejects with the reason and leaves no listener', async () => {
		service.enqueue(1);
		const abort = new AbortController();
		const { signal } = abort;
		const creating = errorOf(client.leases.create({ boardType: 'arduino-uno' }, { signal }));
		await waiting();
		abort.abort(reason);
		expect(await creating).toBe(reason);
		expect(releases()).toHaveLength(1);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('during the first request still releases what that request creates', async () => {
		const abort = new AbortController();
		service.faults.push(({ method }) => {
			if (method === 'POST') abort.abort(reason);
			return undefined;
		});
		const { signal } = abort;
		expect(await errorOf(client.leases.create({ boardId: 'brd_1' }, { signal }))).toBe(reason);
		expect(releases()).toHaveLength(1);
	});

	it('before the start sends nothing', async () => {
		const signal = AbortSignal.abort(reason);
		expect(await errorOf(client.leases.create({ boardId: 'brd_1' }, { signal }))).toBe(reason);
		expect(service.requests('POST /v1/leases')).toEqual([]);
	});

	it('and a timeout have the same effect', async () => {
		service.enqueue(1);
		const creating = client.leases.create({ boardType: 'arduino-uno' }, { timeout: 50 });
		expect(await errorOf(creating)).toMatchObject({ name: 'RequestTimeoutError' });
		expect(releases()).toHaveLength(1);
	});

	it('repeats the release when the first one gets no response', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		try {
			service.enqueue(1);
			const abort = new AbortController();
			service.faults.push(({ method }) =>
				method === 'DELETE' && releases().length === 1
					? new Promise<Response>(() => {})
					: undefined,
			);
			const { signal } = abort;
			const creating = errorOf(client.leases.create({ boardType: 'arduino-uno' }, { signal }));
			await vi.advanceTimersByTimeAsync(100);
			abort.abort(reason);
			await vi.advanceTimersByTimeAsync(4_000);
			expect(await creating).toBe(reason);
			expect(releases()).toHaveLength(2);
		} finally {
			vi.useRealTimers();
		}
	});

	it('does not wait for a service that does not respond', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		try {
			const abort = new AbortController();
			service.faults.push(() => new Promise<Response>(() => {}));
			const { signal } = abort;
			const creating = errorOf(client.leases.create({ boardId: 'brd_1' }, { signal }));
			await vi.advanceTimersByTimeAsync(100);
			abort.abort(reason);
			await vi.advanceTimersByTimeAsync(5_000);
			expect(await creating).toBe(reason);
		} finally {
			vi.useRealTimers();
		}
	});
});

describe('leases that exist', () => {
	it('are listed', async () => {
		await client.leases.create({ boardId: 'brd_1' }, { renew: false });
		const [listed] = await client.leases.list({ status: 'active', pageSize: 5 });
		expect(listed).toMatchObject({ id: 'lse_1', boardType: 'arduino-uno', endReason: null });
		const [request] = service.requests('GET /v1/leases');
		expect(Object.fromEntries(request?.query ?? [])).toEqual({ status: 'active', limit: '5' });
	});

	it('are listed by one of several statuses', async () => {
		await client.leases.list({ status: ['active', 'queued'] });
		const [request] = service.requests('GET /v1/leases');
		expect(request?.query.getAll('status')).toEqual(['active', 'queued']);
		const none = client.leases.list({ status: [] });
		expect(await errorOf(none)).toMatchObject({ issues: [{ path: 'status' }] });
	});

	it('are not listed when the filter is invalid', async () => {
		const wrong = client.leases.list({ status: 5 as never });
		expect(await errorOf(wrong)).toMatchObject({
			name: 'InputError',
			issues: [{ path: 'status' }],
		});
		expect(service.requests('GET /v1/leases')).toEqual([]);
	});

	it('are returned by their id', async () => {
		await client.leases.create({ boardId: 'brd_1' }, { renew: false });
		expect(await client.leases.get('lse_1')).toMatchObject({ id: 'lse_1', boardId: 'brd_1' });
	});

	it.each(['', '..', 'lse_1/console', 'lse 1'])(
		'are not requested with the invalid id %j',
		async (id) => {
			expect(await errorOf(client.leases.get(id))).toMatchObject({ name: 'InputError' });
		},
	);
});
