import { chmod, mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';

const modesIn = async (folder: string) =>
	Promise.all(
		(await readdir(folder)).map(async (name) => [
			name,
			((await stat(join(folder, name))).mode & 0o777).toString(8),
		]),
	);

test.skipIf(process.platform === 'win32')('nobody else may read a new database', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-test-'));
	await chmod(folder, 0o755);
	const database = await openDatabase(join(folder, 'service.db'));
	await migrate(database.query);
	expect(await modesIn(folder)).toEqual([
		['service.db', '600'],
		['service.db-shm', '600'],
		['service.db-wal', '600'],
	]);
	await database.close();
});
