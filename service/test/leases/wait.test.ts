// Waiting for a lease: over replicas, until the service stops, and no longer than the caller.
import { afterEach, expect, test, vi } from 'vitest';
import { unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { type Lab, openLab } from '../support/leasing.ts';
import { countWatchers } from '../support/watchers.ts';

const labs: Lab[] = [];
afterEach(async () => {
	await Promise.all(labs.splice(0).map((lab) => lab.close()));
});

async function open(...options: Parameters<typeof openLab>) {
	const lab = await openLab(...options);
	labs.push(lab);
	return lab;
}

/** A lease that is active and one that waits for its board. */
async function leases(lab: Lab) {
	const user = await lab.account();
	const { body: first } = await user.lease({ board_type: 'uno' });
	const { body: second } = await user.lease({ board_type: 'uno', wait_seconds: 600 });
	return { user, first: first.id, second: second.id };
}

test('a change on one replica wakes requests that wait on another', async () => {
	const first = await open('PostgreSQL', { boards: unoBoards(1) });
	const second = await open('PostgreSQL', { database: first.location });
	const { user, first: held } = await leases(first);
	using there = second.services.wake.watch([`lease ${held}`]);
	// Repeated, because the other replica may not listen yet.
	await vi.waitFor(
		async () => {
			first.services.wake.announce(`lease ${held}`);
			expect([...(await there.changed())]).toEqual([`lease ${held}`]);
		},
		{ timeout: 10_000 },
	);
	const waiting = second.requests(user.key).read(held, '?wait=30&status=active');
	await user.release(held);
	expect(await waiting).toMatchObject({ status: 'ended' });
});

test.each(databaseKinds)(
	'a wait whose notification is lost ends with the change when its time is over, on %s',
	{ tags: 'long' },
	async (kind) => {
		const lab = await open(kind, { boards: unoBoards(1) });
		const { user, first } = await leases(lab);
		vi.spyOn(lab.services.wake, 'announce').mockImplementation(() => {});
		const waiting = user.read(first, '?wait=3&status=active');
		await user.release(first);
		expect(await waiting).toMatchObject({ status: 'ended' });
	},
);

test('a wait for a change from another status ends at once', async () => {
	const lab = await open('SQLite', { boards: unoBoards(1) });
	const { user, first, second } = await leases(lab);
	expect(await user.read(first, '?wait=60&status=queued')).toMatchObject({ status: 'active' });
	await user.release(second);
	expect(await user.read(second, '?wait=60&status=ended')).toMatchObject({ status: 'ended' });
});

test('a wait ends with the unchanged lease when its time is over or the service stops', async () => {
	const lab = await open('SQLite', { boards: unoBoards(1) });
	const { user, second } = await leases(lab);
	expect(await user.read(second, '?wait=1&status=queued')).toMatchObject({ status: 'queued' });
	const watchers = countWatchers(lab.services);
	const waiting = user.read(second, '?wait=60&status=queued');
	await expect.poll(watchers).toBe(1);
	lab.rejectRequests();
	expect(await waiting).toMatchObject({ status: 'queued', queue_position: 1 });
});

test('a wait ends when its caller disconnects', async () => {
	const lab = await open('SQLite', { boards: unoBoards(1) });
	const { user, second } = await leases(lab);
	const caller = new AbortController();
	const { signal } = caller;
	const watchers = countWatchers(lab.services);
	const waiting = user.send('GET', `/leases/${second}?wait=60&status=queued`, { signal });
	await expect.poll(watchers).toBe(1);
	caller.abort();
	await waiting;
	expect(watchers()).toBe(0);
});

test.each(databaseKinds)(
	'a request for the list waits until a lease changes on %s',
	{ tags: 'long' },
	async (kind) => {
		const lab = await open(kind, { boards: unoBoards(1) });
		const { user, first, second } = await leases(lab);
		const list = async (query: string, tag?: string) =>
			await user.send('GET', `/leases${query}`, { headers: tag ? { 'if-none-match': tag } : {} });
		const before = await list('?limit=2');
		const tag = before.headers.get('etag') ?? '';
		expect(await list('?limit=2&wait=1', tag)).toMatchObject({ status: 304 });
		// The client keeps pages that a 304 confirms, and their `expires_in_ms` would be old.
		expect(await list('?limit=2', tag)).toMatchObject({ status: 200 });
		const waiting = list('?limit=2&wait=60', tag);
		await user.release(first);
		expect(await waiting).toMatchObject({
			status: 200,
			body: { data: [{ id: second }, { id: first, status: 'ended' }] },
		});
		expect((await list('?limit=2&wait=60', tag)).status).toBe(200);
	},
);
