// What the boards page shows, kept in memory until the boards change.
import {
	type BoardCounts,
	type BoardSearch,
	type BoardSlice,
	countBoardsByStatus,
	searchBoards,
} from '../../boards/search.ts';
import { type BoardRecord, listBoardTypes } from '../../boards/store.ts';
import type { Database } from '../../database/database.ts';
import { createRevisionCache, readBoardsRevision } from '../../database/revisions.ts';
import { readPage, type Sort } from '../elements/search.tsx';

/** A page further down costs more than anybody reads; the opposite order shows the end of the list. */
const mostListed = 10_000;

interface Search extends BoardSearch {
	sort: Sort<BoardSlice['by']>;
}

type PageQuery = Parameters<typeof readPage>[0];

export function createViewReader({ query, reader }: Database) {
	const pages = createRevisionCache<BoardRecord[]>(
		(boards) => JSON.stringify(boards).length,
		4_000_000,
	);
	const counts = createRevisionCache<BoardCounts>(() => 200, 200_000);
	const types = createRevisionCache<string[]>((names) => names.join().length, 4_000_000);

	return async ({ sort, ...search }: Search, asked: PageQuery) => {
		const revision = await readBoardsRevision(query);
		const { text, board_type, status } = search;
		const counted = await counts.get(JSON.stringify([text, board_type]), revision, () =>
			countBoardsByStatus(reader, search),
		);
		const total = status ? counted[status] : counted.all;
		const { slice, ...choice } = readPage(asked, Math.min(total, mostListed));
		const key = JSON.stringify([search, sort, slice]);
		const boards = await pages.get(key, revision, () =>
			searchBoards(reader, search, { ...sort, ...slice }),
		);
		const allTypes = await types.get('', revision, () => listBoardTypes(reader));
		return { ...choice, matching: total, boards, types: allTypes, counts: counted };
	};
}
