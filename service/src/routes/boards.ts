// The list of boards. The text of each page is kept in memory with its ETag, by query and revision, and no request gets
// a page that is older than the revision that it has read.
import { setTimeout as delay } from 'node:timers/promises';
import { isCostly, type RequestOf, readBoardsPage, readBoardsRevision } from 'board-access-core';
import { createRevisionCache } from 'board-access-http/revision-cache';
import { respondWithPage, type TaggedPage, tagOf } from 'board-access-http/tagged-page';
import type { Services } from '../services.ts';
import type { Answers } from './serve.ts';

/** How often the revision is read while requests wait for a change. */
const lookEvery = 250;

const maxBytes = 16_000_000;

type Filter = Omit<RequestOf<'listBoards'>['query'], 'wait'>;

interface BoardsPage extends TaggedPage {
	/** The accounts with a lease on one of these boards; everybody else sees the same page. */
	holders: ReadonlySet<string | null>;
}

export function boardAnswers({ database, limits, stopping }: Services) {
	const kept = createRevisionCache<BoardsPage>(({ body }) => body.length, maxBytes);

	const read = async (filter: Filter, isLong: boolean, accountId?: string): Promise<BoardsPage> => {
		// What takes long is read where it holds up nobody.
		const db = isLong ? { query: database.reader } : database;
		const page = await readBoardsPage(db, filter, { ...filter, accountId });
		const body = Buffer.from(page.json);
		return { body, tag: tagOf(body), next: page.next, holders: page.holders };
	};

	const readKept = async (filter: Filter, { accountId, revision, isLong }: Reader) => {
		const name = JSON.stringify(filter);
		const page = await kept.get(name, revision, () => read(filter, isLong));
		if (!page.holders.has(accountId)) return page;
		return kept.get(`${accountId} ${name}`, revision, () => read(filter, isLong, accountId));
	};

	/** Once for all requests of the account, and for no other, so that no account waits for the turn of another. */
	const readInTurn = (filter: Filter, reader: Reader) => {
		const { accountId, revision } = reader;
		return kept.get(`costly ${accountId} ${JSON.stringify(filter)}`, revision, () =>
			limits.costlyRead(accountId, () => readKept(filter, reader)),
		);
	};

	let look: Promise<number> | undefined;
	/** The revision after a moment, read once for all who wait for it. */
	const nextRevision = () => {
		look ??= delay(lookEvery)
			.then(() => readBoardsRevision(database.query))
			.finally(() => (look = undefined));
		return look;
	};

	return {
		async listBoards(c, { accountId, boardsRevision, wait }, { query }) {
			const { wait: seconds = 0, ...filter } = query;
			return respondWithPage(c, {
				revision: boardsRevision ?? (await readBoardsRevision(database.query)),
				nextRevision,
				read: (revision, cursor) => {
					// A request that waits may read any number of pages after its own.
					const isLong = cursor !== undefined || isCostly(filter);
					const page = cursor === undefined ? filter : { ...filter, cursor };
					return (isLong ? readInTurn : readKept)(page, { accountId, revision, isLong });
				},
				milliseconds: Number(seconds) * 1000,
				wait,
				stopping,
			});
		},
	} satisfies Pick<Answers, 'listBoards'>;
}

interface Reader {
	accountId: string;
	revision: number;
	isLong: boolean;
}
