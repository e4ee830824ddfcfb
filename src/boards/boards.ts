// The requests about boards.
import { createListing } from '../http/list.ts';
import { recordPath } from '../http/path.ts';
import type { RequestFunction } from '../http/request.ts';
import { boardsPath, readBoard, wireQuery } from './records.ts';
import type { Boards } from './types.ts';
import { waitForBoards, watchBoards } from './watch.ts';

export function createBoards(request: RequestFunction): Boards {
	return {
		list: (query, options) =>
			createListing(request, () => ({
				path: boardsPath,
				query: wireQuery(query),
				read: readBoard,
				options,
			})),
		get: async (id, options) =>
			await request({
				method: 'GET',
				path: recordPath(boardsPath, id, 'board'),
				options,
				read: (body) => readBoard(body),
			}),
		watch: (query, options) => watchBoards(request, query, options),
		waitFor: async (query, options) => await waitForBoards(request, query, options),
	};
}
