import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { table } from '../../../src/cli/terminal/table.ts';

const columns = [
	{ title: 'ID', value: (row: readonly string[]) => row[0] },
	{ title: 'NAME', value: (row: readonly string[]) => row[1] },
	{ title: 'NOTE', value: (row: readonly string[]) => row[2] },
];
const heading = (text: string) => text;

describe('a table', () => {
	it('lines up wide characters', () => {
		const rows = [
			['1', '基板', 'x'],
			['2', 'ab', 'y'],
		];
		expect(table(rows, columns, { width: undefined, heading })).toBe(
			'ID  NAME  NOTE\n1   基板  x\n2   ab    y\n',
		);
	});

	it('shortens the widest column, but never the first', () => {
		const rows = [['brd_0123456789', 'short', 'a note that is far too long']];
		expect(table(rows, columns, { width: 32, heading })).toBe(
			'ID              NAME   NOTE\nbrd_0123456789  short  a note t…\n',
		);
	});

	it('accepts more rows than a function accepts arguments', () => {
		const rows = Array.from({ length: 200_000 }, () => ['1']);
		const laidOut = table(rows, columns.slice(0, 1), { width: undefined, heading });
		expect(laidOut).toBe(`ID\n${'1\n'.repeat(200_000)}`);
	});

	it('has a line for each row, whatever the content and the width', { tags: 'long' }, () => {
		const cell = fc.string({ unit: 'binary' });
		const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 });
		fc.assert(
			fc.property(rows, fc.integer({ min: 1, max: 50 }), (cells, width) => {
				const lines = table(cells, columns, { width, heading }).split('\n');
				expect(lines).toHaveLength(cells.length + 2);
			}),
		);
	});
});
