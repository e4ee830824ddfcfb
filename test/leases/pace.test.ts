// @module-tag long
// A service that responds at once, whatever it is asked, must not be asked without a pause.
import type { BoardAccess } from 'board-access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLeaseService, type LeaseService } from '../support/lease-service.ts';

let service: LeaseService;
let client: BoardAccess;

beforeEach(() => {
	service = createLeaseService();
	client = service.createClient();
});

afterEach(() => {
	vi.useRealTimers();
});

const isRead = ({ method, path }: { method: string; path: string }) =>
	method === 'GET' && path === '/v1/leases/lse_1';

/** Every lease has the next of these statuses, and no response takes any time. */
const respondWith = (statuses: readonly (string | null)[]) => {
	let count = 0;
	service.faults.push(async (request) => {
		if (request.method === 'DELETE') return undefined;
		if (isRead(request) && count > 50) return new Error('enough');
		if (!isRead(request)) return undefined;
		const lease = await service.seen().json();
		return Response.json({ ...lease, status: statuses[count++ % statuses.length] });
	});
	return () => count;
};

describe('a service that responds at once', () => {
	it.each([
		[['paused']],
		[['paused', 'resuming']],
		[['queued', 'preparing']],
		[['queued', 'paused']],
		[[null, 'queued']],
	])('with the statuses %j is not flooded by the creation of a lease', async (statuses) => {
		service.enqueue(1);
		const asked = respondWith(statuses);
		const creating = client.leases.create({ boardId: 'brd_1' }, { timeout: 1_500 });
		await expect(creating).rejects.toMatchObject({ name: 'RequestTimeoutError' });
		expect(asked()).toBeLessThan(6);
	});

	it('with an unknown status of an action is not flooded by the wait for it', async () => {
		const lease = await client.leases.create({ boardId: 'brd_1' }, { renew: false });
		service.setOnAction(() => {});
		let count = 0;
		service.faults.push(({ method, path }) => {
			if (method !== 'GET' || !path.includes('/actions/')) return undefined;
			if (++count > 50) return service.failure(400, 'enough', 'Enough.');
			return Response.json({ ...service.actions[0], status: `paused ${count}` });
		});
		const resetting = lease.reset({ timeout: 1_500 });
		await expect(resetting).rejects.toMatchObject({ name: 'RequestTimeoutError' });
		expect(count).toBeLessThan(6);
	});

	it('with another offset for each connection is not flooded by the console', async () => {
		const lease = await client.leases.create({ boardId: 'brd_1' }, { renew: false });
		let count = 0;
		service.faults.push(({ method, path }) => {
			if (method !== 'GET' || !path.endsWith('/console')) return undefined;
			const headers = {
				'content-type': 'application/octet-stream',
				'x-console-offset': String(++count),
			};
			return count > 50 ? service.failure(400, 'enough', '') : new Response('x', { headers });
		});
		const expecting = lease.console.expect('ready', { timeout: 1_000 });
		await expect(expecting).rejects.toThrow();
		expect(count).toBeLessThan(20);
	});

	it('with a time to wait beyond what a timer can do is not flooded', async () => {
		service.enqueue(1);
		let count = 0;
		service.faults.push((request) => {
			if (!isRead(request)) return undefined;
			if (++count > 50) return service.failure(400, 'enough', 'Enough.');
			const headers = { 'retry-after': '999999999' };
			return new Response('{"error":{"code":"rate_limited"}}', { status: 429, headers });
		});
		const creating = client.leases.create({ boardId: 'brd_1' }, { timeout: 1_000 });
		await expect(creating).rejects.toMatchObject({ name: 'RequestTimeoutError' });
		expect(count).toBeLessThan(6);
	});

	it('with leases that always end at once is not flooded by the question for their end', async () => {
		vi.useFakeTimers();
		await client.leases.create({ boardId: 'brd_1' }, { renew: false });
		let count = 0;
		service.faults.push(async (request) => {
			if (!isRead(request)) return undefined;
			const lease = await service.seen().json();
			return Response.json({ ...lease, expires_in_ms: ++count > 50 ? 60_000 : 5 });
		});
		await client.leases.get('lse_1');
		await vi.advanceTimersByTimeAsync(500);
		expect(count).toBe(1);
	});

	it('with leases of a million years is not flooded by their renewal', async () => {
		vi.useFakeTimers();
		let count = 0;
		service.faults.push(({ method, path }) => {
			if (method !== 'POST') return undefined;
			if (path.endsWith('/renew') && ++count > 50) service.end('expired');
			return service.seenWith({ minutes: 6e11, expires_in_ms: 3.6e16 });
		});
		service.enqueue(0);
		service.change({ status: 'active' });
		await using _ = await client.leases.create({ boardId: 'brd_1' });
		await vi.advanceTimersByTimeAsync(500);
		expect(count).toBe(0);
	});
});
