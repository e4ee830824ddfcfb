// The requests about boards.
import { call } from '../http/call.ts';
import { createListing } from '../http/list.ts';
import type { RequestFunction } from '../http/request.ts';
import type { WatchOptions } from '../http/watch.ts';
import { boardList, readBoard } from './records.ts';
import type { Board, BoardChange, BoardQuery, Boards } from './types.ts';

export function createBoards(request: RequestFunction): Boards {
	return {
		list: (query, options) => createListing(request, { ...boardList, query, options }),
		get: async (id, options) =>
			await call(request, 'GET /v1/boards/{id}', { ids: { id }, read: readBoard, options }),
		watch: (query, options) => watchBoards(request, query, options),
		waitFor: async (query, options) => {
			const watched = { ...boardList, query, missing: 'matching board', options, isShort: true };
			const { watchList } = await import('../later.ts');
			for await (const boards of watchList(request, watched)) {
				if (boards.length > 0) return boards;
			}
			throw new Error('a watch has no end');
		},
	};
}

async function* watchBoards(
	request: RequestFunction,
	query: BoardQuery | undefined,
	options?: WatchOptions,
): AsyncGenerator<BoardChange> {
	// The tags of all pages must fit into one request.
	const watched = { ...boardList, query: { ...query, pageSize: 200 }, options };
	const { watchChanges } = await import('../later.ts');
	yield* watchChanges<'GET /v1/boards', Board, BoardChange>(request, watched, 'board');
}
