// Waits for boards, and watches them.

import type { RequestFunction } from '../http/request.ts';
import type { WatchOptions } from '../http/watch.ts';
import { boardsPath, readBoard, wireQuery } from './records.ts';
import type { Board, BoardChange, BoardQuery } from './types.ts';

const list = { path: boardsPath, read: readBoard };

export async function waitForBoards(
	request: RequestFunction,
	query: BoardQuery,
	options?: WatchOptions,
): Promise<Board[]> {
	const first = { query: wireQuery(query), missing: 'matching board', options, isShort: true };
	const { watchList } = await import('../later.ts');
	for await (const boards of watchList<Board>(request, { ...list, ...first })) {
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
	const watched = { ...list, query: wireQuery({ ...query, pageSize: 200 }), options };
	const { watchChanges } = await import('../later.ts');
	yield* watchChanges<Board, BoardChange>(request, watched, 'board');
}
