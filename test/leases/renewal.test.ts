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

	it('stops renewing itself when it is released', async () => {
		await lease.release();
		await vi.advanceTimersByTimeAsync(10 * third);
		expect(renewals()).toHaveLength(0);
	});

	it('does not renew itself if told so', async () => {
		await lease.release();
		const other = createLeaseService();
		await other.createClient().leases.create({ boardId: 'brd_1' }, { renew: false });
		await other.createClient().leases.get('lse_1');
		await vi.advanceTimersByTimeAsync(10 * third);
		expect(other.requests('POST /v1/leases/renew')).toEqual([]);
	});

	it('can be renewed manually, and then renews itself with these minutes', async () => {
		await lease.renew({ minutes: 6 });
		expect(renewals().map(minutesOf)).toEqual([6]);
		expect(lease.minutes).toBe(6);
		await vi.advanceTimersByTimeAsync(3 * third - 1);
		expect(renewals()).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(1);
		expect(renewals().map(minutesOf)).toEqual([6, 6]);
		await lease.renew();
		expect(renewals().map(minutesOf)).toEqual([6, 6, 6]);
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

	it('rejects pending calls when it could not be renewed in time', async () => {
		service.setOnAction(() => {});
		const waiting = errorOf(lease.reset());
		const reading = errorOf(lease.console.expect('PASS', { timeout: 600_000 }));
		await vi.advanceTimersByTimeAsync(0);
		service.faults.push(() => service.lost());
		await vi.advanceTimersByTimeAsync(3 * third + 10_000);
		const expired = {
			name: 'LeaseEndedError',
			reason: 'expired',
			message: 'The lease lse_1 has ended: The lease could not be renewed in time.',
		};
		expect(await waiting).toMatchObject(expired);
		expect(await reading).toMatchObject(expired);
		expect(lease).toMatchObject({ status: 'ended', endReason: 'expired' });
	});

	it('rejects pending calls at once when a renewal finds that it has ended', async () => {
		service.setOnAction(() => {});
		const waiting = errorOf(lease.reset());
		await vi.advanceTimersByTimeAsync(0);
		service.end('admin', 'Needed elsewhere.');
		await vi.advanceTimersByTimeAsync(third);
		expect(await waiting).toMatchObject({ name: 'LeaseEndedError', reason: 'admin' });
	});

	it('keeps being renewed after one rejected renewal, until it expires', async () => {
		failRenewals(() => service.failure(402, 'credits_exhausted', 'No credits are left.'));
		await vi.advanceTimersByTimeAsync(3 * third - 1);
		expect(lease.status).toBe('active');
		await vi.advanceTimersByTimeAsync(1);
		expect(lease).toMatchObject({ status: 'ended', endReason: 'expired' });
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
