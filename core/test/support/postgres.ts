// A PostgreSQL for the tests, from the binaries of an npm package.
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'pg';
import { freePort } from './free-port.ts';

const script = fileURLToPath(new URL('./cluster.ts', import.meta.url));

/**
 * Starts a cluster with these flags in a new folder; `remove` ends it and removes the folder. `prepare` can
 * fill the folder of its data first.
 */
export async function startPostgres(
	flags: readonly string[] = [],
	prepare: (databaseDir: string) => Promise<unknown> = async () => {},
) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-pg-'));
	// PostgreSQL does not run as root; its own user has to get in.
	await chmod(folder, 0o755);
	const databaseDir = join(folder, 'data');
	await prepare(databaseDir);
	const port = await freePort();
	const child = fork(script, [folder, databaseDir, String(port), ...flags], { execArgv: [] });
	await done(child);
	const send = (command: 'start' | 'stop') => {
		child.send(command);
		return done(child);
	};
	return {
		url: `postgres://postgres:postgres@127.0.0.1:${port}`,
		databaseDir,
		start: () => send('start'),
		stop: () => send('stop'),
		async remove() {
			const ended = once(child, 'exit');
			child.disconnect();
			await ended;
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Waits until the process of the cluster has started or has carried out a request. */
function done(child: ChildProcess) {
	return new Promise<void>((resolve, reject) => {
		const exited = () => reject(new Error('The process of the PostgreSQL cluster ended'));
		child.once('exit', exited);
		child.once('message', () => {
			child.off('exit', exited);
			resolve();
		});
	});
}

/** Creates a database, empty or as a copy of another one, and returns its address. */
export async function createPostgres(cluster: string, template = 'template1') {
	const name = `test_${randomBytes(6).toString('hex')}`;
	const client = new postgres.Client({ connectionString: `${cluster}/postgres` });
	await client.connect();
	await client.query(`create database ${name} template ${template}`);
	await client.end();
	return `${cluster}/${name}`;
}
