// /v1/boards: the boards that any account may see.
import { boardQuery } from 'board-access-contract';
import { answer } from '../http/respond.ts';
import type { ServiceApp } from '../http/environment.ts';
import { readQuery } from '../http/read.ts';
import { pageRequest } from '../http/pagination.ts';
import type { Parts } from '../parts.ts';
import { boardList, listBoards } from './store.ts';

export const boardRoutes = (app: ServiceApp, { database, authenticate }: Parts) => {
	app.get('/v1/boards', async (c) => {
		await authenticate(c);
		const query = readQuery(c, boardQuery);
		const page = pageRequest(boardList(query), query);
		return answer(c, await listBoards(database, query, page));
	});
};
