// /v1/boards: the boards that any account may see.
import { setTimeout as delay } from 'node:timers/promises';
import { readBoardsRevision } from '../database/revisions.ts';
import type { ServiceApp, ServiceContext } from '../http/environment.ts';
import { completeResponse } from '../http/headers.ts';
import { noQuery, readQuery } from '../http/read.ts';
import { respond } from '../http/respond.ts';
import type { Parts } from '../parts.ts';
import { createPageReader, type TaggedPage } from './pages.ts';
import { findBoard, noSuchBoard } from './store.ts';

/** How often the revision is read while requests wait for a change. */
const lookEvery = 250;

export function boardRoutes(app: ServiceApp, { database, authenticate, limits, stopping }: Parts) {
	const readPage = createPageReader(database, limits);

	let look: Promise<number> | undefined;
	/** The revision after a moment, read once for all who wait for it. */
	const nextRevision = () => {
		look ??= delay(lookEvery)
			.then(() => readBoardsRevision(database.query))
			.finally(() => (look = undefined));
		return look;
	};

	/** Waits until the page is another one than the caller has, or than it was at first. */
	const changedPage = async (c: ServiceContext, accountId: string, first: TaggedPage) => {
		const known = c.req.header('if-none-match') ?? first.tag;
		const end = performance.now() + first.wait;
		let page = first;
		while (lists(known, page) && performance.now() < end) {
			const revision = await nextRevision();
			if (c.req.raw.signal.aborted || stopping.aborted) break;
			page = await readPage(c, { accountId, revision });
		}
		return page;
	};

	app.get('/v1/boards', async (c) => {
		const { accountId, boardsRevision } = await authenticate(c);
		const revision = boardsRevision ?? (await readBoardsRevision(database.query));
		const first = await readPage(c, { accountId, revision });
		const page = first.wait
			? await limits.wait(accountId, () => changedPage(c, accountId, first))
			: first;
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
