import type { Fetch, LeaseChange } from 'board-access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaseFields } from '../../src/contract/lease.ts';
import { createClient, errorOf } from '../support/client.ts';

// Loaded in advance: no time passes while it is loaded.
import '../../src/http/send.ts';

const none = Object.fromEntries(Object.keys(leaseFields).map((name) => [name, null]));
const active = {
	...none,
	id: 'lse_1',
	status: 'active',
	access: 'hold',
	board_type: 'uno',
	minutes: 2,
	created_at: '',
};
const queued = { ...active, status: 'queued', queue_position: 1 };
const other = { ...active, id: 'lse_2', expires_in_ms: 90_000 };

/** Responds with one list after the other, and to the last one with nothing else. */
function respondWith(lists: object[][]) {
	const requests: { query: string; tags: string | undefined }[] = [];
	const fetch: Fetch = async (url, { headers, signal }) => {
		const data = lists[requests.length];
		requests.push({ query: new URL(url).search, tags: headers['if-none-match'] });
		if (!data) await new Promise((_, reject) => signal?.addEventListener('abort', reject));
		const body = JSON.stringify({ data, next_cursor: 'older' });
		return new Response(body, { headers: { etag: `"${requests.length}"` } });
	};
	return { fetch, requests };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('watching leases', () => {
	it('yields those that there are, then each change of the newest', async () => {
		const later = { ...other, expires_in_ms: 50_000 };
		const service = respondWith([[queued], [active, other], [active, later], [later]]);
		const { leases } = createClient({ fetch: service.fetch });
		const seen: LeaseChange[] = [];
		const reading = (async () => {
			for await (const change of leases.watch({ status: 'active' })) {
				seen.push(change);
				if (change.type === 'removed') break;
			}
		})();
		await vi.advanceTimersByTimeAsync(10_000);
		await reading;
		expect(seen.map(({ type, lease }) => `${type} ${lease.id} ${lease.status}`)).toEqual([
			'added lse_1 queued',
			'changed lse_1 active',
			'added lse_2 active',
			'removed lse_1 active',
		]);
		expect(seen[1]).toHaveProperty('before.status', 'queued');
		expect(service.requests[0]?.query).toBe('?status=active&limit=200');
		expect(service.requests[1]).toEqual({ query: '?status=active&limit=200&wait=20', tags: '"1"' });
	});

	it('ends at once with the reason of its signal', async () => {
		const { fetch } = respondWith([[queued]]);
		const controller = new AbortController();
		const watch = createClient({ fetch }).leases.watch({}, { signal: controller.signal });
		const reading = (async () => {
			for await (const { lease } of watch) {
				expect(lease.queuePosition).toBe(1);
				controller.abort(new Error('enough'));
			}
		})();
		expect(await errorOf(reading)).toHaveProperty('message', 'enough');
	});
});
