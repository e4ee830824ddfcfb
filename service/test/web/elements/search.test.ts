import { expect, test } from 'vitest';
import { readPage } from '../../../../web/src/elements/search.tsx';

test.each([
	['2', 2],
	['99', 2],
	['x', 1],
])('page %s of a hundred rows is page %i', (page, shown) => {
	expect(readPage({ page }, 100).page).toBe(shown);
});
