import { expect, test } from 'vitest';
import { pageFrom, pageRequest } from '../../src/database/pagination.ts';

const rows = ['a', 'b', 'c'];
const page = (list: string) =>
	pageFrom(rows, { list, limit: 2, place: (row) => [row, `id-${row}`] });
const cursor = page('keys of ann').next_cursor ?? '';

/** The cursor with other places, as somebody would forge it. */
function forged(change: (parts: unknown[]) => unknown) {
	const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
	return Buffer.from(JSON.stringify(change(parts))).toString('base64url');
}

test('a cursor leads to the row after the last one of its page', () => {
	expect(pageRequest('keys of ann', { cursor })).toEqual({ limit: 100, after: ['b', 'id-b'] });
	expect(pageRequest('keys of ann', { limit: '7' })).toEqual({ limit: 7 });
});

test('the last page has no cursor', () => {
	const last = pageFrom(rows, { list: 'x', limit: 3, place: (row) => [row, row] });
	expect(last).toEqual({ data: rows, next_cursor: null });
});

test.each([
	['of another list', page('keys of bob').next_cursor ?? ''],
	['with a NUL in it', forged(([list, , id]) => [list, 'a\0', id])],
	['with a NUL in its second place', forged(([list, name]) => [list, name, '\0'])],
	['with a number in it', forged(([list, , id]) => [list, 1, id])],
	['with a place too many', forged((parts) => [...parts, 'x'])],
	['that is no JSON', 'bm9uZQ'],
])('a cursor %s is refused', (_what, given) => {
	expect(() => pageRequest('keys of ann', { cursor: given })).toThrow('is not a cursor');
});
