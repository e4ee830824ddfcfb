// The requests about boards.
import { call } from '../http/call.ts';
import { createListing } from '../http/list.ts';
import type { RequestFunction } from '../http/request.ts';
import { boardList, readBoard } from './records.ts';
import type { Boards } from './types.ts';
import { waitForBoards, watchBoards } from './watch.ts';

export function createBoards(request: RequestFunction): Boards {
	return {
		list: (query, options) => createListing(request, { ...boardList, query, options }),
		get: async (id, options) =>
			await call(request, 'GET /v1/boards/{id}', { ids: { id }, read: readBoard, options }),
		watch: (query, options) => watchBoards(request, query, options),
		waitFor: async (query, options) => await waitForBoards(request, query, options),
	};
}
