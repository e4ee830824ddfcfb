import { afterAll, expect, test } from 'vitest';
import { importBoards } from '../../src/boards/import.ts';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { unoBoards } from '../support/boards.ts';

const database = await openDatabase(':memory:');
await migrate(database.query);
afterAll(() => database.close());

test('more boards are imported than a statement has parameters', async () => {
	const boards = unoBoards(33_000);
	expect(await importBoards(database.query, boards)).toMatchObject({ added: boards.length });
});
