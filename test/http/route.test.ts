// The route of a request: its path with the name of each id.
import type { Attempt } from 'board-access';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressOf } from '../../src/http/call.ts';
import { pathWith } from '../../src/http/path.ts';
import { createClient } from '../support/client.ts';

async function attemptsOf(work: (client: ReturnType<typeof createClient>) => Promise<unknown>) {
	const seen: Attempt[] = [];
	const created_at = '2026-01-01T00:00:00Z';
	const lease = {
		id: 'lse_1',
		status: 'active',
		board_type: 'x',
		minutes: 2,
		created_at,
		access: 'hold',
		holder_email: null,
	};
	const fetch = async () => Response.json(lease);
	await work(createClient({ fetch, onAttempt: (attempt) => seen.push(attempt) })).catch(() => {});
	return seen.map(({ path, route }) => ({ path, route }));
}

it('names every record with the same template', async () => {
	expect(await attemptsOf((client) => client.boards.get('brd {1}'))).toEqual([]);
	expect(await attemptsOf((client) => client.boards.get('brd_{1}'))).toEqual([
		{ path: '/v1/boards/brd_%7B1%7D', route: '/v1/boards/{id}' },
	]);
	expect(await attemptsOf((client) => client.admin.baseImages.delete('bim_1'))).toEqual([
		{ path: '/v1/admin/base-images/bim_1', route: '/v1/admin/base-images/{id}' },
	]);
});

it('names the requests of a lease', async () => {
	const seen = await attemptsOf(async (client) => {
		const lease = await client.leases.get('lse_1');
		await lease.actions();
	});
	expect(seen).toEqual([
		{ path: '/v1/leases/lse_1', route: '/v1/leases/{id}' },
		{ path: '/v1/leases/lse_1/actions', route: '/v1/leases/{id}/actions' },
	]);
});

it('is missing for a path of your own, which is sent as it is', async () => {
	const path = '/v1/boards/{brd}';
	expect(await attemptsOf((client) => client.request({ method: 'GET', path }))).toEqual([
		{ path: '/v1/boards/%7Bbrd%7D', route: undefined },
	]);
});

it('has two ids where the path has two, whatever they contain', () => {
	const id = fc.string({ unit: 'binary' }).filter((text) => {
		try {
			return pathWith('/{id}', { id: text }) !== '';
		} catch {
			return false;
		}
	});
	const route = 'GET /v1/leases/{id}/actions/{action_id}';
	fc.assert(
		fc.property(id, id, (lease, action) => {
			expect(addressOf(route, { id: lease, action_id: action })).toEqual({
				method: 'GET',
				path: `/v1/leases/${encodeURIComponent(lease)}/actions/${encodeURIComponent(action)}`,
				route: '/v1/leases/{id}/actions/{action_id}',
			});
		}),
	);
});
