import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importBoards } from '../../src/boards/import.ts';
import type { Database } from '../../src/database/database.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

describe.each(databaseKinds)('an import on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());

	test('may have no boards', async () => {
		expect(await importBoards(database.query, [])).toMatchObject({ added: 0, changed: 0 });
	});
});

test('more boards are imported than a statement has parameters', async () => {
	const database = await readyDatabase('SQLite');
	const boards = unoBoards(33_000);
	expect(await importBoards(database.query, boards)).toMatchObject({ added: boards.length });
	await database.close();
});
