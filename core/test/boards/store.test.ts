import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BoardInput, importBoards } from '../../src/boards/import.ts';
import { type BoardFilter, readBoardsPage } from '../../src/boards/list.ts';
import { type boardRecord, listBoardTypes } from '../../src/boards/store.ts';
import type { Database } from '../../src/database/database.ts';
import type { PageQuery } from '../../src/database/pagination.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

interface ReadPage {
	data: ReturnType<typeof boardRecord>[];
	next_cursor: string | null;
}

const board = (number: number): BoardInput => ({
	id: `brd_${number}`,
	name: `board-${String(number % 40).padStart(3, '0')}`,
	board_type: number % 2 ? 'odd' : 'even',
	status: number % 3 ? 'available' : 'offline',
	status_reason: '',
	credits_per_minute: 0,
	description: 'with "quotes", commas and ünïcode',
	tags: { number: String(number) },
});

describe.each(databaseKinds)('boards on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
		await importBoards(
			database.query,
			Array.from({ length: 100 }, (_, number) => board(number)),
		);
	});
	afterAll(() => database.close());

	const page = async (filter: BoardFilter, request: PageQuery) =>
		JSON.parse((await readBoardsPage(database.query, filter, request)).json) as ReadPage;

	const all = async (filter: BoardFilter, limit: number) => {
		const found = [];
		let cursor: string | undefined;
		do {
			const { data, next_cursor } = await page(filter, { limit, cursor });
			expect(data.length).toBeLessThanOrEqual(limit);
			found.push(...data);
			cursor = next_cursor ?? undefined;
		} while (cursor);
		return found;
	};

	test.each([1, 7, 50, 100, 200])('pages of %i show every board once, by name', async (limit) => {
		const boards = await all({}, limit);
		expect(new Set(boards.map(({ id }) => id)).size).toBe(100);
		expect(boards).toHaveLength(100);
		const names = boards.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
	});

	test('numbers in names are sorted by their value', async () => {
		const names = ['slot 10', 'Slot 9', 'slot 2', 'Släb 1'];
		const named = names.map((name) => ({ ...board(1), id: undefined, board_type: 'slot', name }));
		await importBoards(database.query, named);
		const boards = await all({ board_type: ['slot'] }, 1);
		expect(boards.map(({ name }) => name)).toEqual(['Släb 1', 'slot 2', 'Slot 9', 'slot 10']);
		await database.query.deleteFrom('boards').where('board_type', '=', 'slot').execute();
	});

	test('filters can be combined', async () => {
		const boards = await all({ board_type: ['odd'], status: 'offline' }, 5);
		const expected = Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 2 && n % 3 === 0);
		expect(boards.map(({ id }) => id).sort()).toEqual(expected.map((n) => `brd_${n}`).sort());
		expect(await all({ board_type: ['neither'] }, 5)).toEqual([]);
	});

	test.each([1, 7, 200])(
		'boards of several types are listed by name, %i at a time',
		async (limit) => {
			const board_type = ['odd', 'even', 'odd', 'neither'];
			expect(await all({ board_type }, limit)).toEqual(await all({}, 200));
			const offline = await all({ board_type, status: 'offline' }, limit);
			expect(offline).toEqual(await all({ status: 'offline' }, 200));
		},
	);

	test('all tags must match exactly', async () => {
		const tags = [
			{ rack: 'b2', slot: '1' },
			{ rack: 'B2', slot: '1' },
			{ rack: 'b22' },
			{ 'x"rack': 'b2' },
			{ note: '"rack":"b2"', 'a,': 'rack:b2' },
			{ 'we"ird:\\': 'a:b"c' },
		];
		await importBoards(
			database.query,
			tags.map((tags, index) => ({
				...board(1),
				id: `brd_tag_${index}`,
				name: `tag-${index}`,
				tags,
			})),
		);
		const tagged = async (...tag: string[]) =>
			(await all({ tag }, 1)).map(({ id }) => id.replace('brd_tag_', ''));
		expect(await tagged('rack:b2')).toEqual(['0']);
		expect(await tagged('slot:1')).toEqual(['0', '1']);
		expect(await tagged('slot:1', 'rack:B2')).toEqual(['1']);
		expect(await tagged('rack:')).toEqual([]);
		expect(await tagged('a,:rack:b2')).toEqual(['4']);
		expect((await all({ tag: ['slot:1'], board_type: ['even'] }, 1)).length).toBe(0);
		await database.query.deleteFrom('boards').where('id', 'like', 'brd_tag_%').execute();
	});

	test('a board is returned as it was imported', async () => {
		const found = (await all({}, 200)).find(({ id }) => id === 'brd_5');
		expect(found).toMatchObject(board(5));
	});

	test('an import changes the board with a known id and keeps its creation time', async () => {
		const before = (await all({}, 200)).find(({ id }) => id === 'brd_6');
		await importBoards(database.query, [{ ...board(6), description: 'changed' }]);
		const after = (await all({}, 200)).find(({ id }) => id === 'brd_6');
		expect(after).toMatchObject({ description: 'changed', created_at: before?.created_at });
	});

	test('a board without an id is matched by its name and type', async () => {
		const { id: _id, ...unnamed } = board(1);
		const file = [
			{ ...unnamed, name: 'twice' },
			{ ...unnamed, name: 'thrice' },
		];
		expect(await importBoards(database.query, file)).toEqual({
			added: 2,
			changed: 0,
			unchanged: 0,
		});
		const changed = file.map((each) => ({ ...each, description: 'moved' }));
		expect(await importBoards(database.query, changed)).toEqual({
			added: 0,
			changed: 2,
			unchanged: 0,
		});
		expect(await importBoards(database.query, changed)).toEqual({
			added: 0,
			changed: 0,
			unchanged: 2,
		});
		await importBoards(database.query, [{ ...board(1), id: 'brd_same', name: 'twice' }]);
		await expect(importBoards(database.query, file)).rejects.toThrow(
			'Several boards have the name twice and the type odd',
		);
		await database.query.deleteFrom('boards').where('name', 'like', 't%ice').execute();
	});

	test('the board types are listed once each', async () => {
		expect(await listBoardTypes(database.query)).toEqual(['even', 'odd']);
	});

	test('a cursor of another list is rejected', async () => {
		const { next_cursor } = await page({}, { limit: 1 });
		const cursor = next_cursor ?? '';
		await expect(page({ status: 'offline' }, { cursor })).rejects.toThrow(/cursor/);
		await expect(page({}, { cursor: 'AAAA' })).rejects.toThrow(/cursor/);
		expect((await page({}, { cursor })).data.length).toBeGreaterThan(0);
	});
});
