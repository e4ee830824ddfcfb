import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCsv, writeCsv } from '../../src/boards/csv.ts';
import { readBoards, writeBoards } from '../../src/boards/files.ts';

const board = {
	id: 'brd_1',
	name: 'esp32-s3-01',
	board_type: 'esp32-s3',
	status: 'offline',
	status_reason: '',
	credits_per_minute: 2,
	description: 'has "quotes", commas\nand lines',
	tags: { location: 'rack 1', arch: 'xtensa' },
	created_at: '2026-01-02T03:04:05.678Z',
	updated_at: '2026-01-02T03:04:05.678Z',
} as const;

describe.each(['csv', 'json'] as const)('a file in %s', (format) => {
	test('reads back what was written', () => {
		const other = { ...board, id: 'brd_2', tags: { os: 'linux' } };
		expect(readBoards(writeBoards([board, other], format), format)).toEqual([board, other]);
	});

	test('must contain a board', () => {
		const empty = { json: ['', '\n', '[]'], csv: ['', '\n', 'name,board_type\n'] };
		for (const text of empty[format]) {
			expect(() => readBoards(text, format)).toThrow('The file contains no boards');
		}
	});

	test('must not contain an id twice', () => {
		const places = { json: 'board 1 and board 3', csv: 'line 2 and line 6' }[format];
		const text = writeBoards([board, { ...board, id: 'brd_2' }, board], format);
		expect(() => readBoards(text, format)).toThrow(`${places} have the same id`);
	});

	test('must not contain a name and type twice, unless each board has an id', () => {
		const unnamed = { json: '"id": "brd_2",', csv: 'brd_2' }[format];
		const text = writeBoards([board, { ...board, id: 'brd_2' }], format);
		expect(readBoards(text, format)).toHaveLength(2);
		const places = { json: 'board 1 and board 2', csv: 'line 2 and line 4' }[format];
		expect(() => readBoards(text.replace(unnamed, ''), format)).toThrow(
			`${places} have the same name and type`,
		);
	});

	test('reports each invalid board with its line or number', () => {
		const bad = {
			json: '[{"name":"a","board_type":"x"},{"name":"b","status":"lost"}]',
			csv: 'name,board_type,status\na,x,\nb,,lost\n',
		};
		const place = { json: 'board 2', csv: 'line 3' }[format];
		expect(() => readBoards(bad[format], format)).toThrow(
			`${place}: board_type is required\n${place}: status must be one of`,
		);
	});
});

test('unknown columns are reported once', () => {
	expect(() => readBoards('name,colour,tags,\na,red,xl,\nb,,,\n', 'csv')).toThrow(
		/^line 1: colour is not a known name\nline 1: tags is not a known name$/,
	);
});

test('a column without a name may be empty', () => {
	expect(readBoards('name,board_type,\na,x,\n', 'csv')).toHaveLength(1);
	expect(() => readBoards('name,board_type,\na,x,y\n', 'csv')).toThrow(
		'line 2: it is not a known name',
	);
});

test('semicolons between the columns are reported', () => {
	expect(() => readBoards('name;board_type\na;x\n', 'csv')).toThrow('separated by commas');
});

test('rows that are not boards are reported too', () => {
	expect(() => readBoards('["a"]', 'json')).toThrow('board 1: it must be of type object');
});

test('lines are counted through quoted line breaks', () => {
	const text = 'name,board_type,description\na,x,"one\ntwo"\nb,,\n';
	expect(() => readBoards(text, 'csv')).toThrow('line 4: board_type is required');
});

test.each([
	['csv', 'name,board_type,tags.__proto__\na,x,y\n'],
	['json', '[{"name":"a","board_type":"x","tags":{"__proto__":"y"}}]'],
] as const)('a tag that no object can have is an error in %s', (format, text) => {
	expect(() => readBoards(text, format)).toThrow('tags must not contain a tag named __proto__');
});

test('a row of many megabytes is rejected', () => {
	const text = `a,b\nc,"${'x'.repeat(2e7)}"\n`;
	expect(() => parseCsv(text)).toThrow('line 2: the row is longer than 1,000,000 bytes');
});

test.each([
	['a,"b\n', 'line 1: a quote is not closed'],
	['a,b\nc,d"e\n', 'line 2: a field with a quote in it must be quoted as a whole'],
	['a,b\nc,"d"e\n', 'line 2: a quote in a quoted field must be doubled'],
])('a misplaced quote is refused with its line: %j', (text, message) => {
	expect(() => parseCsv(text)).toThrow(message);
});

test('rows may end with either line break', () => {
	expect(parseCsv('a,b\r\nc,"d\r\ne"\n\nf,g')).toEqual([
		{ line: 1, values: ['a', 'b'] },
		{ line: 2, values: ['c', 'd\r\ne'] },
		{ line: 5, values: ['f', 'g'] },
	]);
});

test('a cell that a spreadsheet would run as a formula gets an apostrophe', () => {
	const cells = ['=1+1', '+1', '-40 °C', '@a', "'=1", 'a=1', "it's"];
	expect(writeCsv([cells])).toBe("'=1+1,'+1,'-40 °C,'@a,''=1,a=1,it's\n");
	expect(parseCsv(writeCsv([cells]))).toEqual([{ line: 1, values: cells }]);
});

test('a tag may have the name of a property of every object', () => {
	const [{ tags } = { tags: {} }] = readBoards('name,board_type,tags.constructor\na,x,y\n', 'csv');
	expect(Object.entries(tags)).toEqual([['constructor', 'y']]);
	const column = 'name,board_type,__proto__\na,x,y\n';
	expect(() => readBoards(column, 'csv')).toThrow('line 1: __proto__ is not a known name');
});

test('any cells are read as they were written', () => {
	const cell = fc.string({ unit: 'grapheme', minLength: 1 });
	const rows = fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 });
	fc.assert(
		fc.property(rows, (cells) => {
			expect(parseCsv(writeCsv(cells)).map(({ values }) => values)).toEqual(cells);
		}),
	);
});
