import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { isDatabaseAway, openDatabase } from '../../src/database/database.ts';
import { filePath, holdsPassword } from '../../src/database/location.ts';
import { migrate } from '../../src/database/migrations.ts';

const modesIn = async (folder: string) =>
	Promise.all(
		(await readdir(folder)).map(async (name) => [
			name,
			((await stat(join(folder, name))).mode & 0o777).toString(8),
		]),
	);

describe.skipIf(process.platform === 'win32')('nobody else may read a new database', () => {
	test.each([
		['a path', (path: string) => path],
		['a file: address', (path: string) => `file:${path}?cache=private`],
		['a file:// address', (path: string) => `file://localhost${path.replace('e', '%65')}`],
	])('that is named by %s', async (_what, locationOf) => {
		const folder = await mkdtemp(join(tmpdir(), 'board-access-test-'));
		await chmod(folder, 0o755);
		const database = await openDatabase(locationOf(join(folder, 'service.db')));
		await migrate(database.query);
		expect(await modesIn(folder)).toEqual([
			['service.db', '600'],
			['service.db-shm', '600'],
			['service.db-wal', '600'],
		]);
		await database.close();
		await rm(folder, { recursive: true });
	});
});

test('a full disk is the error of a transaction', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-test-'));
	const { query, close } = await openDatabase(join(folder, 'service.db'));
	await sql`create table notes (text text)`.execute(query);
	await sql`pragma max_page_count = 3`.execute(query);
	const text = 'x'.repeat(100_000);
	const write = query
		.transaction()
		.execute((db) => sql`insert into notes values (${text})`.execute(db));
	const error: unknown = await write.catch((error: unknown) => error);
	expect(error).toMatchObject({ message: 'database or disk is full' });
	expect(isDatabaseAway(error)).toBe(true);
	await close();
	await rm(folder, { recursive: true });
});

test('an address that requires its file does not create it', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-test-'));
	await expect(openDatabase(`file:${join(folder, 'service.db')}?mode=rw`)).rejects.toThrow();
	expect(await readdir(folder)).toEqual([]);
	await rm(folder, { recursive: true });
});

test.each(['file::memory:', 'file:lab?mode=memory', ':memory:', 'postgres://u:pw@h/db', 'file:'])(
	'%s names no file',
	(location) => {
		expect(filePath(location)).toBeUndefined();
	},
);

test.each([
	['postgres://u:pw@h/db', true],
	['postgresql://u:pw@/db', true],
	['postgres://u@h/db?password=pw', true],
	['postgres://u@h/db', false],
	['service.db', false],
])('%s holds a password: %s', (location, holds) => {
	expect(holdsPassword(location)).toBe(holds);
});
