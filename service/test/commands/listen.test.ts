// A service that cannot listen ends, without having granted anything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { databaseKinds } from '../support/databases.ts';
import { openLab, unoBoards } from '../support/leasing.ts';

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
	])('ends with 1 and says why at %s, and grants no lease', async (_what, env, hint) => {
		const location = await grantable(kind);
		const { code, output } = await start(location, env());
		expect(code).toBe(1);
		expect(output).toContain(hint);
		const database = await openDatabase(location);
		const leases = await database.query.selectFrom('leases').select('status').execute();
		await database.close();
		expect(leases).toEqual([{ status: 'queued' }]);
	});
});
