import { expect, test } from 'vitest';
import { nearbyPages, readPage } from '../../../../web/src/elements/search.tsx';

test.each([
	[1, 1, [1]],
	[1, 3, [1, 2, 3]],
	[5, 9, [1, undefined, 4, 5, 6, undefined, 9]],
	[9, 9, [1, undefined, 8, 9]],
])('page %i of %i shows its neighbors', (page, pages, shown) => {
	expect(nearbyPages(page, pages)).toEqual(shown);
});

test.each([
	[{ page: '2' }, { page: 2, pageSize: 50 }],
	[
		{ page: '99', size: '25' },
		{ page: 4, pageSize: 25 },
	],
	[
		{ page: 'x', size: '7' },
		{ page: 1, pageSize: 50 },
	],
])('%j of a hundred rows', (query, choice) => {
	expect(readPage(query, 100)).toMatchObject(choice);
});
