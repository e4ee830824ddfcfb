// A service that cannot listen exits without granting a lease.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openDatabase } from '../../../core/src/database/database.ts';
import { unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { openLab } from '../support/leasing.ts';

/** A database with a lease in the queue and a free board, which a running service would grant. */
async function grantable(kind: (typeof databaseKinds)[number]) {
	const lab = await openLab(kind, { boards: unoBoards(1, { status: 'maintenance' }) });
	const user = await lab.account();
	const { body } = await user.lease({ board_type: 'uno', minutes: 5, wait_seconds: 3600 });
	expect(body.status).toBe('queued');
	await lab.close();
	const database = await openDatabase(lab.location);
	await database.query
		.updateTable('boards')
		.set({ status: 'available', base_status: 'available' })
		.execute();
	await database.close();
	return lab.location;
}

async function start(location: string, env: Record<string, string>) {
	const child = spawn(process.execPath, [inject('main'), 'start', '--database', location], {
		env: { PATH: process.env.PATH ?? '', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
		timeout: 30_000,
	});
	const output = text(child.stderr);
	child.stdout.resume();
	const [code] = await once(child, 'exit');
	return { code, output: await output };
}

describe.each(databaseKinds)('the command start on %s', (kind) => {
	const other = createServer();
	let port: string;
	beforeAll(async () => {
		other.listen(0, '127.0.0.1');
		await once(other, 'listening');
		const address = other.address();
		port = String(typeof address === 'object' ? address?.port : '');
	});
	afterAll(() => other.close());

	test.each([
		['a port that is in use', () => ({ HOST: '127.0.0.1', PORT: port }), 'Choose another port'],
		['an address of another machine', () => ({ HOST: '192.0.2.1', PORT: '0' }), '--host or HOST'],
	])(
		'ends with 1 and says why at %s, and grants no lease',
		{ tags: 'long' },
		async (_what, env, hint) => {
			const location = await grantable(kind);
			const { code, output } = await start(location, env());
			expect(code).toBe(1);
			expect(output).toContain(hint);
			const database = await openDatabase(location);
			const leases = await database.query.selectFrom('leases').select('status').execute();
			await database.close();
			expect(leases).toEqual([{ status: 'queued' }]);
		},
	);
});

test.skipIf(!existsSync('/dev/full'))(
	'a service whose log cannot be written continues',
	async () => {
		const free = createServer().listen(0, '127.0.0.1');
		await once(free, 'listening');
		const { port } = free.address() as AddressInfo;
		free.close();
		await once(free, 'close');
		const log = openSync('/dev/full', 'w');
		const child = spawn(
			process.execPath,
			[inject('main'), 'start', '--database', await grantable('SQLite'), '--port', String(port)],
			{ env: { PATH: process.env.PATH ?? '' }, stdio: ['ignore', log, 'ignore'] },
		);
		const exited = once(child, 'exit');
		closeSync(log);
		const page = () => fetch(`http://127.0.0.1:${port}/v1/boards`);
		await vi.waitFor(page, { timeout: 20_000, interval: 100 });
		for (let count = 0; count < 3; count += 1) expect((await page()).status).toBe(401);
		child.kill('SIGTERM');
		expect(await exited).toEqual([0, null]);
	},
);
