// The pages of GET /v1/boards. The text of each is kept in memory with its ETag, by query and revision,
// and no request gets a page that is older than the revision that it has read.
import { hash } from 'node:crypto';
import { boardQuery } from 'board-access-contract';
import type { Database } from '../database/database.ts';
import { pageRequest } from '../database/pagination.ts';
import { createRevisionCache } from '../database/revisions.ts';
import type { ServiceContext } from '../http/environment.ts';
import type { Limits } from '../http/limits/rate-limits.ts';
import { readQuery } from '../http/read.ts';
import { boardList, isCostly, readBoardsPage } from './list.ts';

const mostBytes = 16_000_000;

export interface TaggedPage {
	/** As bytes, which are cheaper to send than text. */
	body: Buffer<ArrayBuffer>;
	/** Names this very text, for `ETag`. */
	tag: string;
	/** The accounts with a lease on one of these boards; everybody else sees the same page. */
	holders: ReadonlySet<string | null>;
	/** For how many milliseconds its request waits for a change. */
	wait: number;
}

/** Returns what reads the page that the address asks for, at a revision or a later one. */
export function createPageReader(database: Database, limits: Pick<Limits, 'costlyRead'>) {
	const { reader } = database;
	const kept = createRevisionCache<TaggedPage>(({ body }) => body.length, mostBytes);

	const read = async (c: ServiceContext, accountId?: string): Promise<TaggedPage> => {
		const filter = readQuery(c, boardQuery);
		const request = { ...pageRequest(boardList(filter), filter), accountId };
		const page = await readBoardsPage(
			isCostly(filter) ? { query: reader } : database,
			filter,
			request,
		);
		const body = Buffer.from(page.json);
		const wait = Number(filter.wait ?? 0) * 1000;
		return { body, tag: tagOf(body), holders: page.holders, wait };
	};

	const readKept = async (c: ServiceContext, { accountId, revision }: Reading) => {
		const { url } = c.req;
		// An address that was rejected is not kept, so every other one need not be read again.
		const search = url.slice(url.indexOf('?') + 1 || url.length);
		const page = await kept.get(search, revision, () => read(c));
		if (!page.holders.has(accountId)) return page;
		return kept.get(`${accountId} ${search}`, revision, () => read(c, accountId));
	};

	return (c: ServiceContext, reading: Reading) => {
		// Most addresses have no tag in them, and are known without being parsed.
		if (!/\?.*(tag|%)/.test(c.req.url) || !isCostly(readQuery(c, boardQuery)))
			return readKept(c, reading);
		// Outside the cache, so that no account waits for the turn of another.
		return limits.costlyRead(reading.accountId, () => readKept(c, reading));
	};
}

interface Reading {
	accountId: string;
	revision: number;
}

function tagOf(body: Buffer) {
	return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
}
