// The addresses of shares: nothing that a caller passes reaches another route.
import { afterEach, expect, test, vi } from 'vitest';
import { skipWaits } from '../support/client.ts';
import { createLeaseService } from '../support/lease-service.ts';

const service = createLeaseService();
const lease = await service.createClient().leases.create({ boardType: 'x' });
afterEach(() => {
	service.faults.splice(0);
	vi.restoreAllMocks();
});

test.each(['..', '.', '', 'ada', '../x@example.com', '@/../..', undefined])(
	'%j is no address, and nothing is sent',
	async (email) => {
		service.faults.push(() => new Error('sent'));
		for (const call of [
			lease.unshare(email as string),
			lease.share(email as string, { access: 'look' }),
		]) {
			await expect(call).rejects.toMatchObject({ name: 'InputError' });
		}
	},
);

test('an address is encoded', async () => {
	const paths: string[] = [];
	service.faults.push(({ method, path }) => {
		paths.push(`${method} ${path}`);
		return new Response(null, { status: 204 });
	});
	await lease.unshare('a?b#{c}%+@example.com');
	expect(paths).toEqual(['DELETE /v1/leases/lse_1/shares/a%3Fb%23%7Bc%7D%25%2B%40example.com']);
});

test.each([
	['share', () => lease.share('ada@example.com', { access: 'look' })],
	['unshare', () => lease.unshare('ada@example.com')],
	['shares', () => lease.shares()],
	['the list of leases', async () => await service.createClient().leases.list()],
])('%s goes on through an outage, as all requests about a lease do', async (_, call) => {
	skipWaits();
	let failures = 0;
	service.faults.push(() => {
		if (++failures < 6) return new Response('', { status: 503 });
		return Response.json({ email: 'ada@example.com', access: 'look', created_at: '', data: [] });
	});
	await call();
	expect(failures).toBe(6);
});
