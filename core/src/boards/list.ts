// Lists of boards: those of the API, and those that people search.
import { sql } from 'kysely';
import { type PageQuery, readPage } from '../database/pagination.ts';
import type { BoardRow, Db } from '../database/schema.ts';
import { boardRecord, ownLease, recordColumns } from './store.ts';
import { havingTag } from './tags.ts';
import { soughtWords } from './words.ts';

export interface BoardFilter {
	board_type?: string | readonly string[] | undefined;
	status?: BoardRow['status'] | undefined;
	/** Each is a `name:value`. */
	tag?: readonly string[] | undefined;
	has_agent?: 'true' | 'false' | undefined;
	/** Beginnings of words of the name, identifier, type, description or tags, in any order. */
	text?: string | undefined;
}

const orders = {
	name: ['name_key', 'id'],
	price: ['credits_per_minute', 'name_key', 'id'],
} as const;

interface BoardsRequest extends PageQuery {
	order?: keyof typeof orders | undefined;
	/** Whose leases the boards have. */
	accountId?: string | undefined;
}

function selectPage(
	db: Db,
	filter: BoardFilter,
	{ order = 'name', accountId = '', ...request }: BoardsRequest,
) {
	const { board_type, status, tag, has_agent, text } = filter;
	const name = JSON.stringify(['boards', order, board_type, status, tag, has_agent, text]);
	const rows = filteredBoards(db, filter)
		.select([...recordColumns, 'lease_account_id', 'name_key', 'status_since'])
		.select(ownLease(accountId));
	return readPage(rows, { name, by: orders[order], direction: 'asc' }, request);
}

/** One page of boards as the JSON of the response. */
export async function readBoardsPage(db: Db, filter: BoardFilter, request: BoardsRequest) {
	const { data, next_cursor } = await selectPage(db, filter, request);
	const holders = new Set(data.map((row) => row.lease_account_id));
	const json = JSON.stringify({ data: data.map(boardRecord), next_cursor });
	return { json, next: next_cursor, holders };
}

/** One page of boards, each with the time since which it has its status. */
export async function searchBoards(db: Db, filter: BoardFilter, request: BoardsRequest) {
	const page = await selectPage(db, filter, request);
	return { ...page, data: page.data.map(foundBoard) };
}

export async function findShownBoard(db: Db, id: string) {
	const rows = db.selectFrom('boards').select([...recordColumns, 'status_since']);
	const row = await rows.where('id', '=', id).executeTakeFirst();
	return row && foundBoard(row);
}

export type FoundBoard = ReturnType<typeof foundBoard>;

function foundBoard(row: Parameters<typeof boardRecord>[0] & Pick<BoardRow, 'status_since'>) {
	return { ...boardRecord(row), status_since: row.status_since || row.created_at };
}

/** How many boards there are of each status, and of all together. */
export async function countBoardsByStatus(db: Db, filter: Omit<BoardFilter, 'status'>) {
	const rows = await filteredBoards(db, filter)
		.select(['status', ({ fn }) => fn.countAll().as('boards')])
		.groupBy('status')
		.execute();
	const counts = { all: 0, available: 0, in_use: 0, maintenance: 0, offline: 0 };
	for (const { status, boards } of rows) {
		counts[status] = Number(boards);
		counts.all += Number(boards);
	}
	return counts;
}

/** Whether reading the page may read every board, because no index has these boards by name. */
export function isCostly({ tag = [], has_agent }: BoardFilter) {
	return tag.length > 0 || has_agent !== undefined;
}

export function filteredBoards(db: Db, filter: BoardFilter) {
	const { board_type = [], status, tag = [], has_agent, text } = filter;
	const types = [board_type].flat();
	let query = db.selectFrom('boards');
	if (types.length > 0) query = query.where('board_type', 'in', types);
	if (status !== undefined) query = query.where('status', '=', status);
	if (has_agent) query = query.where('agent_id', has_agent === 'true' ? 'is not' : 'is', null);
	for (const pair of tag) {
		const colon = pair.indexOf(':');
		query = query.where(havingTag(pair.slice(0, colon), pair.slice(colon + 1)));
	}
	if (!text) return query;
	const words = soughtWords(text);
	if (words.length === 0) return query.where(sql<boolean>`false`);
	// Words contain no character that has a meaning in a pattern.
	for (const word of words) query = query.where('words', 'like', `%${word}%`);
	return query;
}
