// Waits for boards, and watches them.

import type { RequestFunction } from '../http/request.ts';
import type { WatchOptions } from '../http/watch.ts';
import { boardList } from './records.ts';
import type { Board, BoardChange, BoardQuery } from './types.ts';

export async function waitForBoards(
	request: RequestFunction,
	query: BoardQuery,
	options?: WatchOptions,
): Promise<Board[]> {
	const watched = { ...boardList, query, missing: 'matching board', options, isShort: true };
	const { watchList } = await import('../later.ts');
	for await (const boards of watchList(request, watched)) {
		if (boards.length > 0) return boards;
	}
	throw new Error('a watch has no end');
}

export async function* watchBoards(
	request: RequestFunction,
	query: BoardQuery | undefined,
	options?: WatchOptions,
): AsyncGenerator<BoardChange> {
	// The tags of all pages must fit into one request.
	const watched = { ...boardList, query: { ...query, pageSize: 200 }, options };
	const { watchChanges } = await import('../later.ts');
	yield* watchChanges<'GET /v1/boards', Board, BoardChange>(request, watched, 'board');
}
