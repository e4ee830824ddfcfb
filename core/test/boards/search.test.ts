// Searching and sorting boards: the same on both databases.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeBoard, storeUpdate } from '../../src/boards/change.ts';
import { type BoardInput, importBoards } from '../../src/boards/import.ts';
import { type BoardFilter, countBoardsByStatus, searchBoards } from '../../src/boards/list.ts';
import type { Database } from '../../src/database/database.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

let databases: Database[];
beforeAll(async () => {
	databases = await Promise.all(databaseKinds.map((kind) => readyDatabase(kind)));
});
afterAll(() => Promise.all(databases.map((database) => database.close())));

/** The names that each database finds, read through its reader. */
const found = (filter: BoardFilter, order?: 'name' | 'price') =>
	Promise.all(
		databases.map(async ({ reader }) => {
			const names: string[] = [];
			for (let cursor: string | null = ''; cursor !== null; ) {
				const request = { order, limit: 3, cursor };
				const page: Awaited<ReturnType<typeof searchBoards>> = await searchBoards(
					reader,
					filter,
					request,
				);
				names.push(...page.data.map(({ name }) => name));
				cursor = page.next_cursor;
			}
			return names;
		}),
	);

const fill = async (boards: BoardInput[]) => {
	for (const { query } of databases) {
		await query.deleteFrom('boards').execute();
		if (boards.length > 0) await importBoards(query, boards);
	}
};

const board = (name: string, more: Partial<BoardInput> = {}): BoardInput => ({
	id: `brd_${name.replace(/[^a-z0-9]+/gi, '-')}`,
	name,
	board_type: 'esp32',
	status: 'available',
	description: '',
	tags: {},
	...more,
});

test('words are found by their beginning, in any order, with their tags', async () => {
	await fill([
		board('Gate-1', { description: 'Crème brûlée for 2, 100% done', tags: { location: 'rack-1' } }),
		board('Gate-2', {
			board_type: 'nucleo-f446re',
			tags: { location: 'rack-2', room: 'East wing' },
		}),
		board('Door', {
			description: 'Behind the gate; see http://lab.example/x',
			tags: { note: 'location' },
		}),
	]);
	const cases: [string, string[]][] = [
		['gate', ['Door', 'Gate-1', 'Gate-2']],
		['nucleo GATE', ['Gate-2']],
		['gate-1', ['Gate-1']],
		['rack-2', ['Gate-2']],
		['f446re', ['Gate-2']],
		['ate', []],
		['f446', ['Gate-2']],
		['location:rack-1', ['Gate-1']],
		['location:rack', ['Gate-1', 'Gate-2']],
		['location:', ['Gate-1', 'Gate-2']],
		['location', ['Door', 'Gate-1', 'Gate-2']],
		['room:east wing', ['Gate-2']],
		['creme BRULEE', ['Gate-1']],
		['100%', ['Gate-1']],
		['http://lab', ['Door']],
		['brd_Door', ['Door']],
		["' | '", []],
		['%', []],
	];
	for (const [text, names] of cases) {
		expect([text, ...(await found({ text }))]).toEqual([text, names, names]);
	}
});

test('a changed board is found by its new words', async () => {
	await fill([]);
	for (const { query } of databases) {
		const { id } = await storeBoard(query, {
			name: 'first',
			board_type: 'esp32',
			status: 'available',
			description: '',
			tags: { rack: '1' },
			credits_per_minute: 0,
		});
		await storeUpdate(query, id, { name: 'second', tags: { rack: '2' } });
	}
	expect(await found({ text: 'first' })).toEqual([[], []]);
	expect(await found({ text: 'rack:1' })).toEqual([[], []]);
	expect(await found({ text: 'rack:2 sec' })).toEqual([['second'], ['second']]);
	await fill([]);
	expect(await found({ text: 'second' })).toEqual([[], []]);
});

test('both databases find, count and sort random boards in the same way', async () => {
	const word = fc.constantFrom(
		'rack',
		'Rack-1',
		'b2',
		'B10',
		'b2:x',
		'Ångström',
		'ﬁber',
		'北京',
		'a:b:c',
		'"',
		"'",
		'ß',
		'🙂',
		'x'.repeat(80),
	);
	const text = fc.oneof(
		fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
		fc
			.string({ unit: 'grapheme', maxLength: 6 })
			.filter((value) => !value.includes('\0') && value.isWellFormed()),
	);
	const input = fc.record({
		name: text.map((value) => `n${value.replace(/\p{Cc}/gu, '')}`.trim()),
		board_type: fc.constantFrom('esp32', 'uno'),
		status: fc.constantFrom('available' as const, 'offline' as const),
		description: text,
		tags: fc.dictionary(word, text, { maxKeys: 2 }),
		credits_per_minute: fc.integer({ min: 0, max: 2 }),
	});
	const search = fc.record({
		text: fc.oneof(
			word,
			text,
			fc.tuple(word, word).map((pair) => pair.join(' ')),
		),
		board_type: fc.constantFrom(undefined, 'esp32'),
		status: fc.constantFrom(undefined, 'offline' as const),
	});
	const order = fc.constantFrom('name' as const, 'price' as const);
	await fc.assert(
		fc.asyncProperty(
			fc.array(input, { minLength: 1, maxLength: 8 }),
			fc.array(fc.tuple(search, order), { minLength: 4, maxLength: 8 }),
			async (inputs, searches) => {
				await fill(inputs.map((each, index) => ({ ...each, id: `brd_${index}` })));
				const at = '2026-01-01T00:00:00.000Z';
				for (const { query } of databases)
					await query.updateTable('boards').set({ updated_at: at }).execute();
				for (const [each, order] of searches) {
					const [sqlite, postgres] = await found(each, order);
					expect(postgres).toEqual(sqlite);
					const counts = await Promise.all(
						databases.map(({ reader }) => countBoardsByStatus(reader, each)),
					);
					expect(counts[1]).toEqual(counts[0]);
					const shown = each.status ? counts[0]?.[each.status] : counts[0]?.all;
					expect(sqlite).toHaveLength(shown ?? -1);
				}
			},
		),
		{ numRuns: 25 },
	);
});
