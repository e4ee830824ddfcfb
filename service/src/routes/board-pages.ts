// The pages of GET /v1/boards. The text of each is kept in memory with its ETag, by query and revision,
// and no request gets a page that is older than the revision that it has read.
import { boardQuery } from 'board-access-contract';
import { type Core, isCostly, readBoardsPage } from 'board-access-core';
import type { ServiceContext } from 'board-access-http/environment';
import type { Limits } from 'board-access-http/limits/rate-limits';
import { readQuery } from 'board-access-http/read';
import { createRevisionCache } from 'board-access-http/revision-cache';
import { type TaggedPage, tagOf } from 'board-access-http/tagged-page';

const maxBytes = 16_000_000;

interface BoardsPage extends TaggedPage {
	/** The accounts with a lease on one of these boards; everybody else sees the same page. */
	holders: ReadonlySet<string | null>;
}

/** Returns what reads the page that the address asks for, at a revision or a later one. */
export function createPageReader(database: Core['database'], limits: Pick<Limits, 'costlyRead'>) {
	const { reader } = database;
	const kept = createRevisionCache<BoardsPage>(({ body }) => body.length, maxBytes);

	const read = async (
		c: ServiceContext,
		{ accountId, cursor }: Partial<AskedPage>,
	): Promise<BoardsPage> => {
		const query = readQuery(c, boardQuery);
		const filter = { ...query, cursor: cursor || query.cursor };
		const page = await readBoardsPage(
			cursor || isCostly(filter) ? { query: reader } : database,
			filter,
			{ ...filter, accountId },
		);
		const body = Buffer.from(page.json);
		const wait = Number(filter.wait ?? 0) * 1000;
		return { body, tag: tagOf(body), next: page.next, holders: page.holders, wait };
	};

	const readKept = async (c: ServiceContext, { accountId, revision, cursor }: AskedPage) => {
		const name = nameOf(c, cursor);
		const page = await kept.get(name, revision, () => read(c, { cursor }));
		if (!page.holders.has(accountId)) return page;
		return kept.get(`${accountId} ${name}`, revision, () => read(c, { accountId, cursor }));
	};

	return (c: ServiceContext, asked: AskedPage) => {
		// Most addresses have neither filter in them, and are known without being parsed.
		const mayFilter = /^[^?]*\?.*(tag|agent|%)/.test(c.req.url);
		// A request that waits may read any number of pages after its own.
		if (!asked.cursor && !(mayFilter && isCostly(readQuery(c, boardQuery))))
			return readKept(c, asked);
		// Once for all requests of the account, and for no other, so that no account waits for the turn of another.
		const { accountId, revision, cursor } = asked;
		return kept.get(`costly ${accountId} ${nameOf(c, cursor)}`, revision, () =>
			limits.costlyRead(accountId, () => readKept(c, asked)),
		);
	};
}

/** The name of a page in memory. An address that was rejected is not kept, so no other need be read again. */
function nameOf({ req: { url } }: ServiceContext, cursor = '') {
	return `${cursor} ${url.slice(url.indexOf('?') + 1 || url.length)}`;
}

interface AskedPage {
	accountId: string;
	revision: number;
	/** Reads this page of the list instead of the one that the address asks for. */
	cursor?: string | undefined;
}
