import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AmbiguousBoardError, importBoards } from '../../src/boards/import.ts';
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

test('an import may have more boards than a statement has parameters', async () => {
	const database = await readyDatabase('SQLite');
	expect(await importBoards(database.query, unoBoards(1))).toMatchObject({ added: 1 });
	// All are looked up before it shows that they are the same one.
	const boards = Array.from({ length: 33_000 }, () => unoBoards(1)).flat();
	await expect(importBoards(database.query, boards)).rejects.toThrow(AmbiguousBoardError);
	await database.close();
});
