// /v1/boards: the boards that any account may see.
import { boardQuery } from 'board-access-contract';
import { pageRequest } from '../database/pagination.ts';
import type { ServiceApp } from '../http/environment.ts';
import { noQuery, readQuery } from '../http/read.ts';
import { answer } from '../http/respond.ts';
import type { Parts } from '../parts.ts';
import { boardList, findBoard, listBoards, noSuchBoard } from './store.ts';

export function boardRoutes(
	app: ServiceApp,
	{ database, authenticate }: Pick<Parts, 'database' | 'authenticate'>,
) {
	app.get('/v1/boards', async (c) => {
		const { accountId } = await authenticate(c);
		const query = readQuery(c, boardQuery);
		const page = pageRequest(boardList(query), query);
		return answer(c, await listBoards(database, { ...query, accountId }, page));
	});

	app.get('/v1/boards/:id', async (c) => {
		const { accountId } = await authenticate(c);
		readQuery(c, noQuery);
		const board = await findBoard(database.query, { accountId, id: c.req.param('id') });
		if (!board) throw noSuchBoard();
		return answer(c, board);
	});
}
