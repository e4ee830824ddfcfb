import { expect, test } from 'vitest';
import { createRevisionCache } from '../../src/http/revision-cache.ts';

function countingCache(maxSize: number) {
	const cache = createRevisionCache<string>((text) => text.length, maxSize);
	const reads: string[] = [];
	const get = (key: string, revision: number) =>
		cache.get(key, revision, async () => {
			reads.push(`${key}${revision}`);
			return 'ten bytes.';
		});
	return { get, reads };
}

test('a page that changes often does not remove one that stays the same', async () => {
	const { get, reads } = countingCache(30);
	await get('a', 1);
	for (const revision of [1, 2, 3, 4]) await get('b', revision);
	await get('a', 1);
	expect(reads).toEqual(['a1', 'b1', 'b2', 'b3', 'b4']);
});

test('pages are removed once they are too large together', async () => {
	const { get, reads } = countingCache(30);
	for (const key of ['a', 'b', 'c', 'a']) await get(key, 1);
	expect(reads).toEqual(['a1', 'b1', 'c1', 'a1']);
});
