// @module-tag long
// Another process locks the SQLite file for writing: the service goes on with what does not write.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../core/src/database/database.ts';
import { emptyDatabase } from '../../../core/test/support/databases.ts';
import { startServer } from '../../src/server.ts';
import { createService, type Service } from '../../src/service.ts';
import { runHere, startCommand } from '../support/command.ts';

const script = fileURLToPath(new URL('../support/writer-child.ts', import.meta.url));

/** Locks the file from another process; the function that it returns ends that process. */
async function lock(file: string) {
	const child = fork(script, [file], { execArgv: [] });
	const exited = once(child, 'exit');
	const unlock = async () => {
		child.kill('SIGKILL');
		await exited;
	};
	onTestFinished(unlock);
	await once(child, 'message');
	return unlock;
}

let database: string;
let service: Service;
beforeEach(async () => {
	database = await emptyDatabase('SQLite');
	service = await createService({ database, demo: true });
});
afterEach(() => service.close());

const request = (method: string, path: string, body?: object) =>
	service.fetch(`http://localhost${path}`, {
		method,
		headers: {
			authorization: `Bearer ${service.demo?.apiKey}`,
			'content-type': 'application/json',
		},
		...(body && { body: JSON.stringify(body) }),
	});
const createKey = () => request('POST', '/v1/auth/keys', {});

test('a change waits for the lock without blocking the process', async () => {
	const unlock = await lock(database);
	let isDone = false;
	const creating = createKey().finally(() => (isDone = true));
	expect((await request('GET', '/healthz')).status).toBe(200);
	expect(isDone).toBe(false);
	await unlock();
	expect((await creating).status).toBe(201);
});

test('health checks and reads get their responses while the file is locked', async () => {
	await lock(database);
	for (const path of ['/healthz', '/readyz', '/v1/boards', '/v1/auth/keys']) {
		expect((await request('GET', path)).status, path).toBe(200);
	}
});

test('a change that cannot be made gets 503 with Retry-After, also among many, and later ones succeed', async () => {
	const unlock = await lock(database);
	const responses = await Promise.all(Array.from({ length: 20 }, createKey));
	expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 503));
	for (const { headers } of responses) expect(headers.get('retry-after')).toBe('2');
	await unlock();
	expect((await createKey()).status).toBe(201);
});

test('a transaction is carried out once, however often its beginning was retried', async () => {
	const { query, close } = await openDatabase(database);
	await sql`create table notes (text text)`.execute(query);
	const unlock = await lock(database);
	let runs = 0;
	const writing = query.transaction().execute(async (db) => {
		runs += 1;
		await sql`insert into notes values ('once')`.execute(db);
		await sql`insert into notes values ('twice')`.execute(db);
	});
	await sql`select 1`.execute(query);
	expect(runs).toBe(0);
	await unlock();
	await writing;
	const { rows } = await sql`select text from notes`.execute(query);
	expect({ runs, rows }).toEqual({ runs: 1, rows: [{ text: 'once' }, { text: 'twice' }] });
	await close();
});

test('a second service on a file is rejected, commands are not, and a killed service leaves no lock', async () => {
	const file = await emptyDatabase('SQLite');
	const words = ['start', '--port', '0', '--database', file];
	const { child, exited } = await startCommand(words);
	await expect(startCommand(words)).rejects.toThrow(
		/exit 1: .*Another service uses .*service\.db/s,
	);
	const { stdout } = await runHere(file, 'account', 'create', 'ada@example.com');
	expect(stdout).toContain('ada@example.com');
	child.kill('SIGKILL');
	await exited;
	const next = await startServer({ database: file, port: 0, host: '127.0.0.1' });
	await expect(startServer({ database: file, port: 0, host: '127.0.0.1' })).rejects.toThrow(
		'Another service uses',
	);
	await next.stop();
});
