// /v1/boards: the boards that any account may see.
import { boardQuery } from 'board-access-contract';
import { readBoardsRevision } from '../database/revisions.ts';
import type { Caller } from '../http/authenticate.ts';
import type { ServiceApp, ServiceContext } from '../http/environment.ts';
import { completeResponse } from '../http/headers.ts';
import { noQuery, readQuery } from '../http/read.ts';
import { respond } from '../http/respond.ts';
import type { Parts } from '../parts.ts';
import { createPageReader, type TaggedPage } from './kept-pages.ts';
import { findBoard, noSuchBoard } from './store.ts';
import { createNextRevision, waitForNew } from './wait.ts';

export function boardRoutes(
	app: ServiceApp,
	needs: Pick<Parts, 'database' | 'authenticate' | 'limits' | 'stopping'>,
) {
	const { database, authenticate, limits, stopping } = needs;
	const readPage = createPageReader(database, limits);
	const nextRevision = createNextRevision(database);

	const currentPage = async (c: ServiceContext, { accountId, boardsRevision }: Caller) => {
		const revision = boardsRevision ?? (await readBoardsRevision(database.query));
		return readPage(c, { accountId, revision });
	};

	/** Waits until the page is another one than the caller has, or than it was at first. */
	const changedPage = (c: ServiceContext, accountId: string, first: TaggedPage) => {
		const { wait } = readQuery(c, boardQuery);
		const known = c.req.header('if-none-match') ?? first.tag;
		return limits.wait(accountId, () =>
			waitForNew(nextRevision, {
				milliseconds: Number(wait) * 1000,
				signal: AbortSignal.any([c.req.raw.signal, stopping]),
				first,
				isNew: (page) => !lists(known, page),
				read: (revision) => readPage(c, { accountId, revision }),
			}),
		);
	};

	app.get('/v1/boards', async (c) => {
		const caller = await authenticate(c);
		const now = await currentPage(c, caller);
		const page = now.waits ? await changedPage(c, caller.accountId, now) : now;
		const unchanged = lists(c.req.header('if-none-match') ?? '', page);
		return completeResponse({
			body: unchanged ? null : page.body,
			status: unchanged ? 304 : 200,
			headers: {
				...(!unchanged && { 'content-type': 'application/json' }),
				'cache-control': 'private, no-cache',
				etag: page.tag,
			},
			requestId: c.get('requestId'),
		});
	});

	app.get('/v1/boards/:id', async (c) => {
		const { accountId } = await authenticate(c);
		readQuery(c, noQuery);
		const board = await findBoard(database.query, { accountId, id: c.req.param('id') });
		if (!board) throw noSuchBoard();
		return respond(c, board);
	});
}

/** Whether an `If-None-Match` has the tag of the page; a proxy may have marked it as weak. */
function lists(header: string, { tag }: TaggedPage) {
	return header.includes(tag) || header.trim() === '*';
}
