// The list of boards. The text of each page is kept in memory with its ETag, by query and revision, and no request gets
// a page that is older than the revision that it has read.
import { isCostly, type RequestOf, readBoardsPage, readBoardsRevision } from 'board-access-core';
import { createRevisionCache } from 'board-access-http/revision-cache';
import { createTaggedList, type TaggedPage, tagOf } from 'board-access-http/tagged-page';
import type { Services } from '../services.ts';
import type { Answers } from './serve.ts';

const maxBytes = 16_000_000;

type Filter = Omit<RequestOf<'listBoards'>['query'], 'wait'>;

interface BoardsPage extends TaggedPage {
	/** The accounts with a lease on one of these boards; everybody else sees the same page. */
	holders: ReadonlySet<string | null>;
}

export function boardAnswers({ database, limits, stopping }: Services) {
	const kept = createRevisionCache<BoardsPage>(({ body }) => body.length, maxBytes);
	const respond = createTaggedList({
		readRevision: () => readBoardsRevision(database.query),
		every: 250,
		stopping,
	});

	const read = (filter: Filter, { accountId, revision, isLong }: Reader) => {
		// What takes long is read where it holds up nobody.
		const db = isLong ? database.reader : database.query;
		const readFor = (accountId: string) =>
			kept.get(`${accountId} ${JSON.stringify(filter)}`, revision, async () => {
				const { json, ...page } = await readBoardsPage(db, filter, { ...filter, accountId });
				const body = Buffer.from(json);
				return { ...page, body, tag: tagOf(body) };
			});
		const readOwn = async () => {
			const page = await readFor('');
			return page.holders.has(accountId) ? readFor(accountId) : page;
		};
		if (!isLong) return readOwn();
		// Once for all requests of the account, and for no other, so that no account waits for the turn of another.
		return kept.get(`costly ${accountId} ${JSON.stringify(filter)}`, revision, () =>
			limits.costlyRead(accountId, readOwn),
		);
	};

	return {
		async listBoards(c, { accountId, boardsRevision, wait }, { query }) {
			const { wait: seconds = 0, ...filter } = query;
			return respond(c, {
				revision: boardsRevision,
				read: (revision, cursor) => {
					// A request that waits may read any number of pages after its own.
					const isLong = cursor !== undefined || isCostly(filter);
					const page = cursor === undefined ? filter : { ...filter, cursor };
					return read(page, { accountId, revision, isLong });
				},
				milliseconds: Number(seconds) * 1000,
				wait,
			});
		},
	} satisfies Pick<Answers, 'listBoards'>;
}

interface Reader {
	accountId: string;
	revision: number;
	isLong: boolean;
}
