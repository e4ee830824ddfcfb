import type { BoardAccess, Lease } from 'board-access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorOf } from '../support/client.ts';
import { createLeaseService, type LeaseService } from '../support/lease-service.ts';

const third = 40_000;

let service: LeaseService;
let client: BoardAccess;
let lease: Lease;

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
	vi.spyOn(Math, 'random').mockReturnValue(1);
	service = createLeaseService();
	client = service.createClient();
	lease = await client.leases.create({ boardType: 'arduino-uno' });
});

afterEach(async () => {
	service.faults.length = 0;
	await lease.release();
	expect(vi.getTimerCount()).toBe(0);
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const renewals = () => service.requests('POST /v1/leases/renew');
const minutesOf = ({ body }: { body: Uint8Array }) =>
	JSON.parse(new TextDecoder().decode(body)).minutes;

/** Every renewal fails so from now on. */
const failRenewals = (outcome: () => Response | Error) => {
	service.faults.push(({ path }) => (path.endsWith('/renew') ? outcome() : undefined));
};

describe('a lease', () => {
	it('renews itself every third of its time', async () => {
		const before = lease.expiresAt;
		await vi.advanceTimersByTimeAsync(third - 1);
		expect(renewals()).toHaveLength(0);
		await vi.advanceTimersByTimeAsync(1);
		expect(renewals().map(minutesOf)).toEqual([2]);
		expect(Date.parse(lease.expiresAt ?? '') - Date.parse(before ?? '')).toBe(third);
		await vi.advanceTimersByTimeAsync(2 * third);
		expect(renewals()).toHaveLength(3);
	});

	it('rejects a renewal with a field that nothing reads', async () => {
		const renewal = { durationMs: 60_000, reason: 'more' };
		expect(await errorOf(lease.renew(renewal))).toMatchObject({
			code: 'invalid_input',
			issues: [{ path: 'reason', message: expect.stringContaining('is not an option') }],
		});
		expect(renewals()).toHaveLength(0);
	});

	it('stops renewing itself when it is released', async () => {
		await lease.release();
		await vi.advanceTimersByTimeAsync(10 * third);
		expect(renewals()).toHaveLength(0);
	});

	it('does not renew itself with renew: false', async () => {
		await lease.release();
		const other = createLeaseService();
		const { leases } = other.createClient();
		const held = [
			await leases.create({ boardId: 'brd_1' }, { renew: false }),
			await leases.get('lse_1'),
		];
		await vi.advanceTimersByTimeAsync(10 * third);
		expect(other.requests('POST /v1/leases/renew')).toEqual([]);
		other.end('expired');
		for (const each of held) await each.refresh();
	});

	it('renews itself in the queue even with renew: false, because nobody else knows of it, and then stops', async () => {
		await lease.release();
		const other = createLeaseService();
		other.enqueue(1);
		const creating = other.createClient().leases.create({ boardId: 'brd_1' }, { renew: false });
		await vi.advanceTimersByTimeAsync(10 * third);
		const sent = other.requests('POST /v1/leases/renew').map(minutesOf);
		expect(sent).toEqual([10, 10]);
		other.change({ status: 'active', board_id: 'brd_1' });
		await vi.advanceTimersByTimeAsync(20_000);
		const held = await creating;
		await vi.advanceTimersByTimeAsync(10 * third);
		expect(other.requests('POST /v1/leases/renew')).toHaveLength(sent.length);
		other.end('expired');
		await held.refresh();
	});

	it('can be renewed manually, and then renews itself with these minutes', async () => {
		await lease.renew({ durationMs: 360_000 });
		expect(renewals().map(minutesOf)).toEqual([6]);
		await vi.advanceTimersByTimeAsync(3 * third - 1);
		expect(renewals()).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(1);
		expect(renewals().map(minutesOf)).toEqual([6, 6]);
		await lease.renew();
		expect(renewals().map(minutesOf)).toEqual([6, 6, 6]);
	});

	it('is renewed for milliseconds, rounded up, and not for two durations', async () => {
		await lease.renew({ durationMs: 60_001 });
		expect(renewals().map(minutesOf)).toEqual([2]);
		// @ts-expect-error times are in milliseconds
		const inMinutes = errorOf(lease.renew({ minutes: 1 }));
		expect(await inMinutes).toMatchObject({ name: 'InputError', issues: [{ path: 'minutes' }] });
	});

	it('keeps the minutes of a manual renewal during its own renewal', async () => {
		const { promise: late, resolve: respond } = Promise.withResolvers<Response>();
		const beat = vi.fn(() => late);
		service.lateFaults.push(({ path }) =>
			path.endsWith('/renew') && beat.mock.calls.length === 0 ? beat() : undefined,
		);
		await vi.advanceTimersByTimeAsync(third);
		expect(beat).toHaveBeenCalled();
		await lease.renew({ durationMs: 3600_000 });
		respond(service.seen());
		await vi.advanceTimersByTimeAsync(20 * 60_000);
		expect(renewals().map(minutesOf)).toEqual([2, 60, 60]);
	});

	it('stays active when the response to a renewal from its preparation arrives late', async () => {
		const started_at = lease.startedAt ?? null;
		service.change({ status: 'preparing', started_at });
		const { promise: late, resolve: respond } = Promise.withResolvers<Response>();
		service.lateFaults.push(({ path }) => (path.endsWith('/renew') ? late : undefined));
		await vi.advanceTimersByTimeAsync(third);
		const preparing = service.seen();
		service.change({ status: 'active', started_at });
		await vi.advanceTimersByTimeAsync(1);
		await lease.refresh();
		respond(preparing);
		await vi.advanceTimersByTimeAsync(0);
		expect(lease.status).toBe('active');
	});

	it('that was renewed while its end is being checked stays active', async () => {
		const { promise: lost, resolve: lose } = Promise.withResolvers<Error>();
		service.faults.push(({ method }) => (method === 'GET' ? lost : undefined));
		failRenewals(() => service.lost());
		await vi.advanceTimersByTimeAsync(3 * third);
		expect(lease.status).toBe('unknown');
		service.faults.pop();
		service.change({ expires_at: new Date(Date.now() + 3 * third).toISOString() });
		await lease.renew();
		failRenewals(() => service.lost());
		lose(service.lost());
		await vi.advanceTimersByTimeAsync(2 * third);
		expect(lease.status).toBe('active');
	});

	it('survives temporary failures of the renewal', async () => {
		failRenewals(() => service.lost());
		const waiting = lease.console.expect('PASS', { timeout: 600_000 });
		await vi.advanceTimersByTimeAsync(2 * third);
		service.faults.length = 0;
		await vi.advanceTimersByTimeAsync(third);
		service.print('PASS');
		expect(await waiting).toMatchObject({ matched: 'PASS' });
		expect(lease.status).toBe('active');
	});

	it('that cannot be reached past its end is unknown, not ended, and its requests fail with the reason', async () => {
		service.setOnAction(() => {});
		const waiting = errorOf(lease.reset());
		await vi.advanceTimersByTimeAsync(0);
		service.faults.push(() => service.lost());
		await vi.advanceTimersByTimeAsync(3 * third - 1);
		expect(lease.status).toBe('active');
		await vi.advanceTimersByTimeAsync(1);
		expect(lease.status).toBe('unknown');
		await vi.advanceTimersByTimeAsync(30_000);
		expect(await waiting).toMatchObject({ name: 'ConnectionError', code: 'connection_lost' });
		service.end('expired');
		service.faults.length = 0;
		await vi.advanceTimersByTimeAsync(12_000);
		expect(lease).toMatchObject({ status: 'ended', endReason: 'expired' });
	});

	it('that was renewed elsewhere while it could not be reached is active again', async () => {
		service.change({ expires_at: new Date(Date.now() + 10 * 60_000).toISOString() });
		service.faults.push(() => service.lost());
		await vi.advanceTimersByTimeAsync(4 * third);
		expect(lease.status).toBe('unknown');
		service.faults.length = 0;
		await vi.advanceTimersByTimeAsync(12_000);
		expect(lease.status).toBe('active');
	});

	it('rejects pending calls at once when a renewal finds that it has ended', async () => {
		service.setOnAction(() => {});
		const waiting = errorOf(lease.reset());
		await vi.advanceTimersByTimeAsync(0);
		service.end('admin', 'Needed elsewhere.');
		await vi.advanceTimersByTimeAsync(third);
		expect(await waiting).toMatchObject({ name: 'LeaseEndedError', reason: 'admin' });
	});

	it('keeps being renewed after rejected renewals, until the service says that it has ended', async () => {
		failRenewals(() => service.failure(402, 'credits_exhausted', 'No credits are left.'));
		await vi.advanceTimersByTimeAsync(3 * third - 1);
		expect(lease.status).toBe('active');
		service.end('expired');
		await vi.advanceTimersByTimeAsync(1);
		expect(lease).toMatchObject({ status: 'ended', endReason: 'expired' });
	});

	it('is not shortened by a renewal with fewer minutes', async () => {
		await lease.renew({ durationMs: 600_000 });
		await lease.renew({ durationMs: 60_000 });
		service.faults.push(() => service.lost());
		await vi.advanceTimersByTimeAsync(10 * 60_000 - 1);
		expect(lease.status).toBe('active');
		await vi.advanceTimersByTimeAsync(1);
		expect(lease.status).toBe('unknown');
	});

	it('that is renewed explicitly is renewed once, also when a response is lost', async () => {
		const keys: unknown[] = [];
		service.lateFaults.push(({ path, headers }) => {
			if (!path.endsWith('/renew')) return undefined;
			keys.push(headers.get('idempotency-key'));
			return keys.length < 3 ? service.lost() : undefined;
		});
		const renewing = lease.renew({ durationMs: 360_000 });
		await vi.advanceTimersByTimeAsync(3_000);
		await renewing;
		expect(keys).toHaveLength(3);
		expect(new Set(keys).size).toBe(1);
	});

	it('continues after a queue longer than its time and a failed renewal, and can be released', async () => {
		await lease.release();
		service = createLeaseService();
		service.enqueue(1);
		const creating = service.createClient().leases.create({ boardType: 'arduino-uno' });
		await vi.advanceTimersByTimeAsync(9 * third);
		service.change({
			status: 'active',
			expires_at: new Date(Date.now() + 3 * third).toISOString(),
		});
		await vi.advanceTimersByTimeAsync(0);
		const created = await creating;
		let failed = 0;
		service.faults.push(({ path }) =>
			path.endsWith('/renew') && ++failed === 1 ? service.lost() : undefined,
		);
		await vi.advanceTimersByTimeAsync(2 * third);
		expect(created.status).toBe('active');
		await created.release();
		expect(service.requests('DELETE /v1/leases')).toHaveLength(1);
	});

	it('is renewed from its creation on, even while it waits for its board', async () => {
		await lease.release();
		service = createLeaseService();
		service.enqueue(1);
		const creating = service.createClient().leases.create({ boardType: 'arduino-uno' });
		await vi.advanceTimersByTimeAsync(third);
		expect(renewals()).toHaveLength(1);
		service.change({ status: 'preparing' });
		await vi.advanceTimersByTimeAsync(4 * third);
		expect(renewals()).toHaveLength(5);
		service.change({ status: 'active' });
		await vi.advanceTimersByTimeAsync(0);
		await (await creating).release();
	});

	it('is not renewed any more when its creation fails', async () => {
		await lease.release();
		service = createLeaseService();
		service.enqueue(1);
		const abort = new AbortController();
		const { leases } = service.createClient();
		const creating = errorOf(leases.create({ boardType: 'x' }, { signal: abort.signal }));
		await vi.advanceTimersByTimeAsync(third);
		service.faults.push(({ method }) =>
			method === 'DELETE' ? service.failure(403, 'origin_refused', 'No') : undefined,
		);
		abort.abort(new Error('enough'));
		await creating;
		await vi.advanceTimersByTimeAsync(4 * third);
		expect(renewals()).toHaveLength(1);
		service.end('expired');
		await vi.advanceTimersByTimeAsync(third);
	});

	it('reports a renewal that fails, once for each reason', async () => {
		await lease.release();
		const failed: string[] = [];
		service = createLeaseService();
		const held = await service
			.createClient()
			.leases.create({ boardId: 'brd_1' }, { onRenewFailed: ({ code }) => failed.push(code) });
		const reasons = [() => service.lost(), () => service.failure(401, 'api_key_revoked', 'No')];
		for (const reason of [...reasons, undefined, reasons[1]]) {
			service.faults.length = 0;
			if (reason) failRenewals(reason);
			await vi.advanceTimersByTimeAsync(third);
		}
		expect(failed).toEqual(['connection_lost', 'api_key_revoked', 'api_key_revoked']);
		service.faults.length = 0;
		await held.release();
	});
});

describe('a lease of another process', () => {
	it('is active again after an outage if it was renewed there', async () => {
		const other = await client.leases.get('lse_1');
		service.setOnAction(() => {});
		const waiting = other.reset();
		await vi.advanceTimersByTimeAsync(7 * third);
		expect(other.status).toBe('active');
		service.faults.push(() => service.lost());
		await vi.advanceTimersByTimeAsync(30_000);
		service.faults.length = 0;
		for (const action of service.actions) service.finish(action, 'done');
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await waiting).toMatchObject({ status: 'done' });
		await lease.release();
		await other.refresh();
	});

	it('renews itself once a process attaches to it', async () => {
		const { leases } = service.createClient();
		const held = await leases.create({ boardId: 'brd_1' }, { renew: false });
		await lease.release();
		service = createLeaseService();
		const original = await service
			.createClient()
			.leases.create({ boardId: 'brd_1' }, { renew: false });
		const attached = await service.createClient().leases.attach('lse_1');
		await vi.advanceTimersByTimeAsync(8 * third);
		expect(renewals().length).toBeGreaterThan(0);
		expect(attached.status).toBe('active');
		await attached.release();
		for (const each of [original, held]) await each.refresh();
	});
});

describe('the end of a lease', () => {
	it('aborts its signal at once', async () => {
		const { signal } = lease;
		expect(signal.aborted).toBe(false);
		await vi.advanceTimersByTimeAsync(third / 2);
		service.end('admin', 'Needed elsewhere.');
		await vi.advanceTimersByTimeAsync(0);
		expect(signal.reason).toMatchObject({ name: 'LeaseEndedError', reason: 'admin' });
		expect(lease.signal).toBe(signal);
	});

	it('resolves its promise at once', async () => {
		const { ended } = lease;
		await vi.advanceTimersByTimeAsync(third / 2);
		service.end('admin', 'Needed elsewhere.');
		await vi.advanceTimersByTimeAsync(0);
		expect(lease.status).toBe('ended');
		expect(await ended).toMatchObject({ status: 'ended', endReason: 'admin' });
	});

	it('is still known after an outage', async () => {
		const { ended } = lease;
		await vi.advanceTimersByTimeAsync(0);
		service.faults.push(() => service.lost());
		await vi.advanceTimersByTimeAsync(third);
		service.end('admin');
		service.faults.length = 0;
		await vi.advanceTimersByTimeAsync(12_000);
		expect(await ended).toMatchObject({ endReason: 'admin' });
	});

	it('is known when the service no longer knows the lease', async () => {
		const { ended, signal } = lease;
		service.faults.push(() => service.failure(404, 'lease_not_found', 'No such lease.'));
		await vi.advanceTimersByTimeAsync(third);
		expect(await ended).toMatchObject({ status: 'ended', endReason: 'lease_not_found' });
		expect(signal.reason).toMatchObject({
			name: 'LeaseEndedError',
			message: 'The lease lse_1 has ended: The service no longer knows this lease.',
		});
		expect(lease.status).toBe('ended');
	});

	it('is the reason of a rejected call when the service no longer knows the lease', async () => {
		service.faults.push(() => service.failure(404, 'lease_not_found', 'No such lease.'));
		expect(await errorOf(lease.reset())).toMatchObject({ reason: 'lease_not_found' });
	});

	it('comes when a restored service begins the lease again, which is then released', async () => {
		const { ended } = lease;
		service.change({ status: 'preparing' });
		await vi.advanceTimersByTimeAsync(third);
		expect(await ended).toMatchObject({ status: 'ended', endReason: 'agent_lost' });
		expect(lease.endMessage).toMatch('has begun the lease again');
		expect(service.requests('DELETE /v1/leases')).toHaveLength(1);
	});

	it('is waited for without keeping the process alive when the key is revoked', async () => {
		const started = vi.spyOn(globalThis, 'setTimeout');
		service.faults.push(() => service.failure(401, 'api_key_revoked', 'No'));
		const { ended } = lease;
		await vi.advanceTimersByTimeAsync(0);
		expect(started.mock.results.at(-1)?.value.hasRef()).toBe(false);
		await vi.advanceTimersByTimeAsync(3 * third);
		expect(lease.status).toBe('unknown');
		service.end('expired');
		service.faults.length = 0;
		await vi.advanceTimersByTimeAsync(12_000);
		expect(await ended).toMatchObject({ endReason: 'expired' });
	});

	it('ends the connection that waits for it', async () => {
		const { ended } = lease;
		await vi.advanceTimersByTimeAsync(third / 2);
		const asked = service.requests('GET /v1/leases').length;
		await lease.release();
		expect(await ended).toMatchObject({ endReason: 'released' });
		await vi.advanceTimersByTimeAsync(3 * third);
		expect(service.requests('GET /v1/leases')).toHaveLength(asked);
	});

	it('is not requested before it is needed', async () => {
		await vi.advanceTimersByTimeAsync(10 * third);
		expect(service.requests('GET /v1/leases')).toEqual([]);
	});
});

describe('a release', () => {
	const failReleases = (outcome: () => Response | Error) => {
		service.faults.push(({ method }) => (method === 'DELETE' ? outcome() : undefined));
	};

	it('is retried through an outage of 15 seconds', async () => {
		vi.mocked(Math.random).mockReturnValue(0);
		failReleases(() => service.lost());
		const releasing = lease.release();
		await vi.advanceTimersByTimeAsync(15_000);
		service.faults.length = 0;
		await vi.advanceTimersByTimeAsync(500);
		expect(await releasing).toMatchObject({ endReason: 'released' });
	});

	it('that fails ends the renewal, so that the lease ends by itself, and can be repeated', async () => {
		failReleases(() => service.failure(403, 'origin_refused', 'No'));
		expect(await errorOf(lease.release())).toMatchObject({ code: 'origin_refused' });
		await vi.advanceTimersByTimeAsync(3 * third - 1);
		expect(renewals()).toEqual([]);
		expect(lease.status).toBe('active');
		service.end('expired');
		await vi.advanceTimersByTimeAsync(1);
		expect(lease).toMatchObject({ status: 'ended', endReason: 'expired' });
	});

	it('reaches the service even though the lease should have ended', async () => {
		service.change({ expires_at: new Date(Date.now() + 10 * 60_000).toISOString() });
		service.faults.push(() => service.lost());
		await vi.advanceTimersByTimeAsync(4 * third);
		expect(lease.status).toBe('unknown');
		service.faults.length = 0;
		expect(await lease.release()).toMatchObject({ endReason: 'released' });
		expect(service.requests('DELETE /v1/leases')).toHaveLength(1);
	});
});

describe('a console that is silent', () => {
	it('is opened again at its offset, because the connection may be lost', async () => {
		service.print('one ');
		const reading = lease.console.expect(/one two/);
		await vi.advanceTimersByTimeAsync(29_999);
		expect(service.requests('GET /v1/leases/console')).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(1_000);
		const [, second] = service.requests('GET /v1/leases/console');
		expect(second?.query.get('from')).toBe('4');
		expect(service.openStreams()).toBe(1);
		service.print('two');
		expect(await reading).toMatchObject({ matched: 'one two' });
	});
});
