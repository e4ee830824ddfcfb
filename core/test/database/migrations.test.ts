import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrations.ts';
import { databaseKinds, emptyDatabase, readyDatabase } from '../support/databases.ts';

const replica = fileURLToPath(new URL('../support/migrate-child.ts', import.meta.url));
const run = promisify(execFile);

describe.each(databaseKinds)('migrations on %s', (kind) => {
	test('each step is applied once, though several replicas start together', {
		tags: 'long',
	}, async () => {
		const database = await emptyDatabase(kind);
		const replicas = await Promise.all(
			[1, 2, 3].map(() => run(process.execPath, [replica, database])),
		);
		const applied: string[] = replicas.flatMap(({ stdout }) => JSON.parse(stdout));
		expect(new Set(applied).size).toBe(applied.length);
		expect(applied.length).toBeGreaterThan(0);
	});

	test('a database that is up to date is not changed', async () => {
		const { query, close } = await readyDatabase(kind);
		expect(await migrate(query)).toEqual([]);
		await close();
	});
});

test('rate limit counts on PostgreSQL do not wait for the disk', async () => {
	const { pool, close } = await readyDatabase('PostgreSQL');
	const found = await pool?.query(
		"select relpersistence from pg_class where relname = 'rate_limits'",
	);
	expect(found?.rows).toEqual([{ relpersistence: 'u' }]);
	await close();
});
