// The pages of GET /v1/boards, kept in memory. Most requests find their page there. Others read it from
// the database. No request gets a page older than the revision that it has read.
import { createHash } from 'node:crypto';
import { boardQuery } from 'board-access-contract';
import type { Database } from '../database/database.ts';
import { createKept } from '../database/kept.ts';
import { pageRequest } from '../database/pagination.ts';
import type { ServiceContext } from '../http/environment.ts';
import type { Limits } from '../http/limits.ts';
import { readQuery } from '../http/read.ts';
import { type BoardsPage, boardList, isCostly, readBoardsPage } from './page.ts';

const mostBytes = 16_000_000;

export interface TaggedPage extends Pick<BoardsPage, 'holders'> {
	/** As bytes, which are cheaper to send than text. */
	body: Buffer<ArrayBuffer>;
	/** Names this very text, for `ETag`. */
	tag: string;
	/** Whether its request waits for a change. */
	waits: boolean;
}

export function createPageReader(database: Database, limits: Pick<Limits, 'costlyRead'>) {
	const kept = createKept<TaggedPage>(({ body }) => body.length, mostBytes);

	const read = async (c: ServiceContext, accountId?: string): Promise<TaggedPage> => {
		const query = readQuery(c, boardQuery);
		const slice = { ...pageRequest(boardList(query), query), ...(accountId && { accountId }) };
		const { json, holders } = await readBoardsPage(database, query, slice);
		const body = Buffer.from(json);
		return { body, holders, tag: tagOf(body), waits: Number(query.wait ?? 0) > 0 };
	};

	const readKept = async (
		c: ServiceContext,
		{ accountId, revision }: { accountId: string; revision: number },
	) => {
		const { url } = c.req;
		// An address that was refused is not kept, so every other one need not be read again.
		const query = url.slice(url.indexOf('?') + 1 || url.length);
		const page = await kept.get(query, revision, () => read(c));
		if (!page.holders.has(accountId)) return page;
		return kept.get(`${accountId} ${query}`, revision, () => read(c, accountId));
	};

	/** The page that the address asks for, at this revision or a later one. */
	return (c: ServiceContext, reading: { accountId: string; revision: number }) => {
		// Most addresses have no tag in them, and are known without being parsed.
		if (!/tag|%/.test(c.req.url) || !isCostly(readQuery(c, boardQuery)))
			return readKept(c, reading);
		// Outside the cache, so that no account waits for the turn of another.
		return limits.costlyRead(reading.accountId, () => readKept(c, reading));
	};
}

function tagOf(body: Buffer) {
	return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}
