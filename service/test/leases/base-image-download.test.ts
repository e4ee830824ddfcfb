// Base images are downloaded once, and what cannot be downloaded ends the preparation.
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { changeImage, listBaseImages, storeImage } from '../../../core/src/base-images/store.ts';
import type { Db } from '../../../core/src/database/schema.ts';
import { lockLease } from '../../../core/src/leases/lock.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { listen } from '../../src/server.ts';
import { backends, type Opening, onPostgres } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { connectAgent } from '../support/scripted-agent.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function openLab(opening: Opening, path: string, sha256?: string) {
	let requests = 0;
	const server = createServer((request, response) => {
		requests += 1;
		if (request.url === '/broken.hex') response.end(':10000000zz\n');
		else if (request.url === '/there.bin') response.end('firmware');
		else if (request.url === '/slow.bin') setTimeout(() => response.end('firmware'), 3_000);
		else response.writeHead(404).end();
	});
	cleanups.push(() => server.close());
	const address = await listen(server, { port: 0, host: '127.0.0.1' });
	const bench = await openBench(opening, { boards: 2, imageHosts: [new URL(address).host] });
	cleanups.push(() => bench.close());
	const url = path.startsWith('http') ? path : `${address}${path}`;
	await storeImage(bench.services.database.query, {
		action: 'flash',
		board_type: 'bench',
		name: 'Application',
		description: '',
		url,
		flash_offset: '0x8000',
		enabled: true,
		sha256,
	});
	const driven = Object.fromEntries(bench.boardIds.map((id) => [id, ['flash', 'power_cycle']]));
	const agent = await connectAgent(bench.sendAsAgent, { driven, obliging: true });
	cleanups.push(() => agent.cut());
	return { bench, user: bench.user, requests: () => requests, url };
}

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	test('an image is downloaded once for several leases', async () => {
		const { user, requests } = await openLab(opening, '/there.bin');
		const leases = await Promise.all([1, 2].map(() => user.activeLease({ board_type: 'bench' })));
		for (const { id } of leases) {
			const { body } = await user.json(`/leases/${id}/actions`);
			expect(body.data).toMatchObject([
				{ action: 'power_cycle', status: 'done' },
				{ action: 'flash', name: 'Application', status: 'done' },
			]);
			await user.release(id);
		}
		await user.activeLease({ board_type: 'bench' });
		expect(requests()).toBe(1);
	});

	rule('an image with the SHA-256 of its entry is flashed', async () => {
		const { user, requests } = await openLab(opening, '/there.bin', hash('sha256', 'firmware'));
		const { id } = await user.activeLease({ board_type: 'bench' });
		const { body } = await user.json(`/leases/${id}/actions`);
		expect(body.data[1]).toMatchObject({ action: 'flash', status: 'done' });
		expect(requests()).toBe(1);
	});

	rule(
		'an image with another SHA-256 than its entry is not flashed, even one that is stored',
		async () => {
			const { user, bench, requests } = await openLab(opening, '/there.bin');
			const { id } = await user.activeLease({ board_type: 'bench' });
			await user.release(id);
			const sha256 = 'a'.repeat(64);
			const { query } = bench.services.database;
			for (const image of await listBaseImages(query)) {
				await changeImage(query, image.id, { ...image, sha256 });
			}
			const lease = await user.lease({ board_type: 'bench', wait_seconds: 60 });
			await user.waitFor(lease.id, 'ended');
			const { body } = await user.json(`/leases/${lease.id}`);
			expect(body.end_message).toContain(`expected ${sha256}, got ${hash('sha256', 'firmware')}`);
			expect(requests()).toBeGreaterThan(1);
		},
	);

	test('waits for an image that another replica downloads until the claim expires', {
		tags: 'long',
	}, async () => {
		const { bench, user, requests, url } = await openLab(opening, '/there.bin');
		const expires_at = new Date(Date.now() + 3_000).toISOString();
		await bench.services.database.query
			.insertInto('image_downloads')
			.values({ url, expires_at })
			.execute();
		const { started_at } = await user.activeLease({ board_type: 'bench' });
		expect(started_at > expires_at).toBe(true);
		expect(requests()).toBe(1);
		const claims = bench.services.database.query.selectFrom('image_downloads').selectAll();
		// The file is stored, and the lease may be active, before the claim is released.
		await expect.poll(() => claims.execute()).toEqual([]);
	});

	rule.each([
		['/missing.bin', 'status 404'],
		['/broken.hex', ''],
		['http://10.0.0.1/a.bin', 'private network'],
	])(
		'%s ends the lease with a reason, and does not affect the boards',
		{ tags: 'long' },
		async (path, reason) => {
			const { user } = await openLab(opening, path);
			const lease = await user.lease({ board_type: 'bench', wait_seconds: 60 });
			await user.waitFor(lease.id, 'ended');
			const { body } = await user.json(`/leases/${lease.id}`);
			expect(body.end_reason).toBe('prepare_failed');
			expect(body.end_message).toContain('flash of Application');
			expect(body.end_message).toContain(reason);
			const { body: boards } = await user.json('/boards?board_type=bench');
			for (const { status } of boards.data) expect(status).toBe('available');
		},
	);
});

test('of several replicas, one downloads an image that all of them need', {
	tags: 'long',
}, async () => {
	const { bench, user, requests, url } = await openLab(onPostgres, '/slow.bin');
	const { database, imageHosts } = bench.services.settings;
	const replicas = await Promise.all(
		[1, 2, 3].map(() => onPostgres.open({ database, demo: false, imageHosts })),
	);
	cleanups.push(...replicas.map(({ close }) => close));
	await Promise.all([1, 2].map(() => user.activeLease({ board_type: 'bench' })));
	expect(requests()).toBe(1);
	const files = await bench.services.database.query.selectFrom('files').select('url').execute();
	expect(files.filter((file) => file.url === url)).toHaveLength(1);
});

test('a lease is not active if its image cannot be downloaded, whatever the agent reports at that moment', {
	tags: 'long',
}, async () => {
	const bench = await openBench(onPostgres);
	cleanups.push(() => bench.close());
	const { query } = bench.services.database;
	const [boardId = ''] = bench.boardIds;
	const driven = { [boardId]: ['flash', 'power_cycle'] };
	const agent = await connectAgent(bench.sendAsAgent, { driven });
	cleanups.push(() => agent.cut());
	// Held, so that the download begins once the agent's report waits for the lease.
	const url = 'http://10.0.0.1/a.bin';
	const expires_at = '2999-01-01T00:00:00.000Z';
	await query.insertInto('image_downloads').values({ url, expires_at }).execute();
	const image = { action: 'flash', board_type: 'bench', name: 'Application' } as const;
	const fields = { description: '', flash_offset: '0x0', enabled: true };
	await storeImage(query, { ...image, ...fields, url });
	const { id } = await bench.user.lease({ board_type: 'bench', wait_seconds: 60 });
	await expect.poll(() => agent.lease(boardId)?.actions.length).toBe(1);
	const step = agent.lease(boardId)?.actions[0]?.id ?? '';
	const waiting = sql`select 1 from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`;
	const waitFor = (db: Db, count: number) =>
		expect
			.poll(async () => {
				// The transaction is not idle for too long.
				await sql`select 1`.execute(db);
				return (await waiting.execute(query)).rows;
			})
			.toHaveLength(count);
	let reported: Promise<Response> | undefined;
	await query.transaction().execute(async (db) => {
		await lockLease(db, id);
		reported = agent.report(step, { fence: agent.fence(boardId), status: 'done' });
		await waitFor(db, 1);
		await query.deleteFrom('image_downloads').execute();
		await waitFor(db, 2);
	});
	expect((await reported)?.status).toBe(204);
	const read = async () => (await bench.user.json(`/leases/${id}`)).body;
	await expect.poll(async () => (await read()).status).toMatch(/queued|ended/);
	expect((await read()).started_at).toBeNull();
});
