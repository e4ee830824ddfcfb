// With whom a lease is shared, and what a colleague sees when it no longer is.
import type { AnyLease } from 'board-access';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { skipWaits } from '../support/client.ts';
import { createLeaseService } from '../support/lease-service.ts';

describe('the addresses of shares', () => {
	const service = createLeaseService();
	const open = service.createClient().leases.create({ boardType: 'x' });
	afterEach(() => {
		service.faults.splice(0);
		vi.restoreAllMocks();
	});

	test.each(['ada', '', undefined])('%j is no address, and nothing is sent', async (email) => {
		const lease = await open;
		service.faults.push(() => new Error('sent'));
		for (const call of [
			lease.unshare(email as string),
			lease.share(email as string, { access: 'look' }),
		]) {
			await expect(call).rejects.toMatchObject({ name: 'InputError' });
		}
	});

	test('are in the body of a request, which logs and traces do not have', async () => {
		const lease = await open;
		const sent: string[] = [];
		service.faults.push(({ method, path, query, body }) => {
			sent.push(`${method} ${path}${query} ${Buffer.from(body)}`);
			const share = { email: 'ada@example.com', access: 'look', created_at: '' };
			return method === 'PUT' ? Response.json(share) : new Response(null, { status: 204 });
		});
		await lease.share('ada@example.com', { access: 'look' });
		await lease.unshare('ada@example.com');
		expect(sent).toEqual([
			'PUT /v1/leases/lse_1/shares {"email":"ada@example.com","access":"look"}',
			'POST /v1/leases/lse_1/shares/remove {"email":"ada@example.com"}',
		]);
	});

	test.each<[string, (lease: AnyLease) => Promise<unknown>]>([
		['share', (lease) => lease.share('ada@example.com', { access: 'look' })],
		['unshare', (lease) => lease.unshare('ada@example.com')],
		['leave', (lease) => lease.leave()],
		['shares', (lease) => lease.shares()],
		['the list of leases', async () => await service.createClient().leases.list()],
	])('%s goes on through an outage, as all requests about a lease do', async (_, call) => {
		skipWaits();
		const lease = await open;
		let failures = 0;
		service.faults.push(() => {
			if (++failures < 6) return new Response('', { status: 503 });
			return Response.json({ email: 'ada@example.com', access: 'look', created_at: '', data: [] });
		});
		await call(lease);
		expect(failures).toBe(6);
	});
});

test('all attempts of one share have the same idempotency key, and the next share has another', async () => {
	skipWaits();
	const service = createLeaseService();
	const lease = await service.createClient().leases.create({ boardType: 'x' });
	const keys: (string | null)[] = [];
	service.faults.push(({ headers }) => {
		keys.push(headers.get('idempotency-key'));
		if (keys.length % 2 === 1) return new Response('', { status: 504 });
		return Response.json({ email: 'ada@example.com', access: 'look', created_at: '' });
	});
	await lease.share('ada@example.com', { access: 'look' });
	await lease.share('ada@example.com', { access: 'look' });
	expect(keys).toEqual([expect.any(String), keys[0], expect.any(String), keys[2]]);
	expect(keys[0]).not.toBe(keys[2]);
});

describe('a lease that is no longer shared', () => {
	const notShared = { name: 'LeaseNotSharedError', code: 'lease_not_shared', leaseId: 'lse_1' };

	const open = async () => {
		const service = createLeaseService();
		const client = service.createClient();
		await client.leases.create({ boardType: 'x' }, { renew: false });
		service.change({ access: 'type', holder_email: 'holder@example.com' });
		const lease = await client.leases.get('lse_1');
		const unshare = () => {
			service.faults.push(() => service.failure(404, 'lease_not_found', 'There is no such lease.'));
			service.closeStreams();
		};
		return { service, lease, unshare };
	};

	const calls: Record<string, (lease: AnyLease) => Promise<unknown>> = {
		refresh: (lease) => lease.refresh(),
		actions: (lease) => lease.actions(),
		reset: (lease) => lease.reset(),
		drivePin: (lease) => lease.drivePin('D2', 0),
		write: (lease) => lease.console.write('x'),
		expect: (lease) => lease.console.expect('x', { timeout: 60_000 }),
		read: (lease) => lease.console.read().next(),
	};
	test.each(Object.entries(calls))(
		'rejects %s, has not ended, and works again',
		async (_, call) => {
			const { service, lease, unshare } = await open();
			unshare();
			await expect(call(lease)).rejects.toMatchObject(notShared);
			expect(lease).toMatchObject({ status: 'active', endReason: null });
			expect(lease.signal.aborted).toBe(false);

			service.faults.length = 0;
			expect(await lease.reset()).toMatchObject({ status: 'done' });
			service.print('Hello');
			expect(await lease.console.expect('Hello')).toMatchObject({ matched: 'Hello' });
			service.end('released');
			expect(await lease.ended).toMatchObject({ status: 'ended', endReason: 'released' });
		},
	);

	test('ends an expectation and an action that are under way', { tags: 'long' }, async () => {
		const { service, lease, unshare } = await open();
		service.setOnAction(() => {});
		const underWay = [lease.console.expect('never', { timeout: 60_000 }), lease.reset()];
		const outcomes = Promise.allSettled(underWay);
		await expect.poll(() => service.actions.length).toBe(1);
		unshare();
		service.change({});
		for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: notShared });
		expect(lease.status).toBe('active');
	});

	test('is left, even if the response to the first attempt is lost', async () => {
		const { service, lease } = await open();
		const paths: string[] = [];
		service.faults.push(({ method, path }) => {
			paths.push(`${method} ${path}`);
			if (paths.length === 1) return new TypeError('terminated');
			return service.failure(404, 'lease_not_found', 'There is no such lease.');
		});
		await lease.leave();
		expect(new Set(paths)).toEqual(new Set(['DELETE /v1/leases/lse_1/shares/own']));
		await expect(lease.refresh()).rejects.toMatchObject(notShared);
	});

	test('is what the holder reads as the end of the lease', async () => {
		const service = createLeaseService();
		const lease = await service.createClient().leases.create({ boardType: 'x' });
		const expectation = lease.console.expect('never', { timeout: 60_000 });
		service.faults.push(() => service.failure(404, 'lease_not_found', 'There is no such lease.'));
		service.closeStreams();
		const ended = { name: 'LeaseEndedError', reason: 'lease_not_found' };
		await expect(expectation).rejects.toMatchObject(ended);
		await expect(lease.reset()).rejects.toMatchObject(ended);
		expect(await lease.ended).toMatchObject({ status: 'ended' });
	});
});
