// /v1/boards: the boards that any account may see.
import { boardQuery } from 'board-access-contract';
import { pageRequest } from '../database/pagination.ts';
import type { ServiceApp } from '../http/environment.ts';
import { readQuery } from '../http/read.ts';
import { respond } from '../http/respond.ts';
import type { Parts } from '../parts.ts';
import { boardList, listBoards } from './store.ts';

export function boardRoutes(
	app: ServiceApp,
	{ database, authenticate }: Pick<Parts, 'database' | 'authenticate'>,
) {
	app.get('/v1/boards', async (c) => {
		await authenticate(c);
		const query = readQuery(c, boardQuery);
		const page = pageRequest(boardList(query), query);
		return respond(c, await listBoards(database, query, page));
	});
}
