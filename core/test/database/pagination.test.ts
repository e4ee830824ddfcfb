import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { pageOf, readPage } from '../../src/database/pagination.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

const rows = ['a', 'b', 'c'].map((email, position) => ({ email, position }));
const list = (name: string) => ({ name, by: ['email', 'position'], direction: 'asc' }) as const;
const cursor = pageOf(rows, list('keys of ann'), 2).next_cursor ?? '';

/** The cursor with other values, as somebody would forge it. */
function forged(change: (parts: unknown[]) => unknown) {
	const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
	return Buffer.from(JSON.stringify(change(parts))).toString('base64url');
}

let databases: Database[];
beforeAll(async () => {
	databases = await Promise.all(databaseKinds.map((kind) => readyDatabase(kind)));
});
afterAll(() => Promise.all(databases.map((database) => database.close())));

test('the last page has no cursor', () => {
	expect(pageOf(rows, list('x'), 3)).toEqual({ data: rows, next_cursor: null });
	expect(pageOf(rows, list('x'), 2)).toEqual({
		data: rows.slice(0, 2),
		next_cursor: expect.any(String),
	});
});

test.each([
	['of another list', pageOf(rows, list('keys of bob'), 2).next_cursor ?? ''],
	['with a NUL in it', forged(([list, , position]) => [list, 'a\0', position])],
	['with a number as text', forged(([list, , position]) => [list, 1, position])],
	['with text as a number', forged(([list, email]) => [list, email, '1'])],
	['with a number that is too large', forged(([list, email]) => [list, email, 2 ** 31])],
	['with a value too many', forged((parts) => [...parts, 'x'])],
	['that is no JSON', 'bm9uZQ'],
])('a cursor %s is rejected', async (_what, given) => {
	for (const { query } of databases) {
		const images = query.selectFrom('base_images').select(['name as email', 'position']);
		const read = readPage(images, list('keys of ann'), { cursor: given });
		await expect(read).rejects.toThrow('is not a cursor');
	}
});

test('pages of every size have each row once, in order', async () => {
	for (const { query } of databases) {
		const text = { url: '', description: '', flash_offset: '' };
		const image = { ...text, action: 'erase' as const, enabled: 1, created_at: '2026' };
		const positions = [3, 1, 10, 2, 20];
		const values = positions.map((position) => ({
			...image,
			id: `img_${position}`,
			name: 'Erase',
			board_type: position % 2 ? 'odd' : 'even',
			position,
		}));
		await query.insertInto('base_images').values(values).execute();
		const images = query.selectFrom('base_images').select(['board_type', 'position']);
		for (const direction of ['asc', 'desc'] as const) {
			const list = { name: 'images', by: ['board_type', 'position'], direction } as const;
			const sorted = ['even 2', 'even 10', 'even 20', 'odd 1', 'odd 3'];
			for (const limit of [1, 2, 4, 5, 6]) {
				const found: string[] = [];
				for (let cursor: string | null = ''; cursor !== null; ) {
					const page: {
						data: { board_type: string; position: number }[];
						next_cursor: string | null;
					} = await readPage(images, list, { limit, cursor });
					found.push(...page.data.map((row) => `${row.board_type} ${row.position}`));
					cursor = page.next_cursor;
				}
				expect(found).toEqual(direction === 'asc' ? sorted : sorted.toReversed());
			}
		}
	}
});
