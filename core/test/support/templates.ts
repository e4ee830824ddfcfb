// What the tests share: a cluster of PostgreSQL, and databases that each test copies.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { settingsFrom } from '../../src/env.ts';
import { createLog } from '../../src/log.ts';
import { openCore } from '../../src/open.ts';
import { createPostgres, startPostgres } from './postgres.ts';

declare module 'vitest' {
	interface ProvidedContext {
		postgres: string;
		/** The path of a file, and the name of a database of the cluster, with the current schema. */
		migrated: Record<'SQLite' | 'PostgreSQL', string>;
	}
}

// It would go through hundreds of databases that no test opens again.
const withoutVacuum = ['-c', 'autovacuum=off'];

/** Runs once for each project. */
export default async (project: TestProject) => {
	// A script that runs the suite many times brings a cluster. The next project uses that of the first.
	const brought = process.env.TEST_POSTGRES;
	const { url, remove } = brought
		? { url: brought, remove: undefined }
		: await startPostgres(withoutVacuum);
	process.env.TEST_POSTGRES = url;
	project.provide('postgres', url);
	const file = join(await mkdtemp(join(tmpdir(), 'templates-')), 'migrated.db');
	const database = await createPostgres(url);
	for (const location of [file, database]) await migrateTemplate(location);
	project.provide('migrated', { SQLite: file, PostgreSQL: new URL(database).pathname.slice(1) });
	// The folder goes with all temporary ones.
	return remove;
};

async function migrateTemplate(database: string) {
	const open = () => openCore({ ...settingsFrom({}), database }, createLog('silent'));
	await (await open()).close();
	await (await open()).close(); // notes that the schema was compared
}
