// Boards as people look for them: by their words, in any order, on numbered pages.
import { boardStatuses } from 'board-access-contract';
import { sql } from 'kysely';
import type { BoardRow, Db } from '../database/schema.ts';
import { type BoardFilter, filteredBoards } from './list.ts';
import { boardRecord, keepsFirmware, recordColumns } from './store.ts';
import { soughtWords } from './words.ts';

export interface BoardSearch extends BoardFilter {
	board_type?: string | undefined;
	/** Beginnings of words of the name, identifier, type, description or tags. */
	text: string;
}

export const boardSorts = ['name', 'board_type', 'status', 'updated_at'] as const;

export interface BoardSlice {
	by: (typeof boardSorts)[number];
	descending: boolean;
	limit: number;
	offset: number;
}

export async function searchBoards(
	db: Db,
	search: BoardSearch,
	{ by, descending, limit, offset }: BoardSlice,
) {
	const direction = descending ? 'desc' : 'asc';
	let query = matching(db, search).select(recordColumns);
	if (by !== 'name') query = query.orderBy(by, direction);
	const rows = await query
		.orderBy('name_key', direction)
		.orderBy('id', direction)
		.limit(limit)
		.offset(offset)
		.execute();
	return rows.map(boardRecord);
}

// One zero for each status.
const none = Object.fromEntries(boardStatuses.map((status) => [status, 0])) as Record<
	BoardRow['status'],
	number
>;

/** How many boards there are of each status, and of all together. */
export async function countBoardsByStatus(
	db: Db,
	{ text, board_type }: Omit<BoardSearch, 'status'>,
) {
	const rows = await matching(db, { text, board_type })
		.select(['status', ({ fn }) => fn.countAll().as('boards')])
		.groupBy('status')
		.execute();
	const counts = { all: 0, ...none };
	for (const { status, boards } of rows) {
		counts[status] = Number(boards);
		counts.all += Number(boards);
	}
	return counts;
}

export type BoardCounts = Awaited<ReturnType<typeof countBoardsByStatus>>;

/** How many boards of each type there are, by status, and how many of them keep earlier firmware. */
export async function summarizeBoardTypes(db: Db) {
	const rows = await db
		.selectFrom('boards')
		.select(['board_type', 'status', ({ fn }) => fn.countAll().as('boards')])
		.select(({ fn }) => fn.sum(keepsFirmware).as('keeping'))
		.groupBy(['board_type', 'status'])
		.orderBy('board_type')
		.execute();
	const types = new Map<
		string,
		{ board_type: string; keeping: number } & Record<BoardRow['status'], number>
	>();
	for (const { board_type, status, boards, keeping } of rows) {
		const summary = types.get(board_type) ?? { board_type, keeping: 0, ...none };
		const sum = summary.keeping + Number(keeping ?? 0);
		types.set(board_type, { ...summary, [status]: Number(boards), keeping: sum });
	}
	return [...types.values()];
}

/** What the boards of each type cost per minute, at the least and at the most. */
export function listBoardRates(db: Db) {
	return db
		.selectFrom('boards')
		.select(({ fn }) => [
			'board_type',
			fn.min<number>('credits_per_minute').as('least'),
			fn.max<number>('credits_per_minute').as('most'),
		])
		.groupBy('board_type')
		.orderBy('board_type')
		.execute();
}

export type BoardRate = Awaited<ReturnType<typeof listBoardRates>>[number];

function matching(db: Db, { text, ...filter }: BoardSearch) {
	const boards = filteredBoards(db, filter);
	if (text === '') return boards;
	const sought = soughtWords(text);
	if (sought.length === 0) return boards.where(sql<boolean>`false`);
	// Words contain no character that has a meaning in a pattern.
	return sought.reduce((query, word) => query.where('words', 'like', `%${word}%`), boards);
}
