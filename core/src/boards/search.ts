// Boards as people look for them: by their words, in any order, on numbered pages.
import { boardStatuses } from 'board-access-contract';
import { type RawBuilder, sql } from 'kysely';
import type { BoardRow, Db } from '../database/schema.ts';
import { type BoardFilter, filteredBoards } from './list.ts';
import { boardRecord, keepsFirmware, recordColumns } from './store.ts';
import { soughtWords } from './words.ts';

export interface BoardSearch extends BoardFilter {
	board_type?: string | undefined;
	/** Beginnings of words of the name, identifier, type, description or tags. */
	text: string;
	/** Only these. */
	ids?: readonly string[] | undefined;
}

export const boardSorts = ['name', 'board_type', 'status', 'credits_per_minute'] as const;

interface BoardSlice {
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
	let query = matching(db, search).select([...recordColumns, 'status_since']);
	if (by !== 'name') query = query.orderBy(by, direction);
	const rows = await query
		.orderBy('name_key', direction)
		.orderBy('id', direction)
		.limit(limit)
		.offset(offset)
		.execute();
	return rows.map((row) => ({
		...boardRecord(row),
		status_since: row.status_since || row.created_at,
	}));
}

export type FoundBoard = Awaited<ReturnType<typeof searchBoards>>[number];

/** A board of the same type that is free: with an agent if there is one, and the cheapest of them. */
export async function findFreeBoard(
	db: Db,
	{ id, board_type }: Pick<BoardRow, 'id' | 'board_type'>,
) {
	const row = await filteredBoards(db, { board_type, status: 'available' })
		.select(['id', 'name', 'board_type', 'credits_per_minute', 'agent_id'])
		.where('id', '<>', id)
		.orderBy(sql`agent_id is null`)
		.orderBy('credits_per_minute')
		.limit(1)
		.executeTakeFirst();
	return row;
}

// One zero for each status.
const none = Object.fromEntries(boardStatuses.map((status) => [status, 0])) as Record<
	BoardRow['status'],
	number
>;

/** How many boards there are of each status, and of all together. */
export async function countBoardsByStatus(db: Db, { status: _, ...search }: BoardSearch) {
	const rows = await matching(db, search)
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

/** How many boards of each type there are: by status, whose last preparation failed, and that keep earlier firmware. */
export function summarizeBoardTypes(db: Db) {
	return db
		.selectFrom('boards')
		.select(({ fn }) => ['board_type', fn.countAll<number>().as('all')])
		.select(boardStatuses.map((status) => countWhere(sql`status = ${status}`).as(status)))
		.select(countWhere(sql`status = 'available' and failed_preparations > 0`).as('failing'))
		.select(countWhere(sql`${keepsFirmware} = 1`).as('keeping'))
		.groupBy('board_type')
		.orderBy('board_type')
		.execute();
}

export type TypeSummary = Awaited<ReturnType<typeof summarizeBoardTypes>>[number];

function countWhere(condition: RawBuilder<unknown>) {
	return sql<number>`cast(sum(case when ${condition} then 1 else 0 end) as bigint)`;
}

function matching(db: Db, { text, ids, ...filter }: BoardSearch) {
	let boards = filteredBoards(db, filter);
	if (ids) boards = boards.where('id', 'in', [...ids, '']);
	if (text === '') return boards;
	const sought = soughtWords(text);
	if (sought.length === 0) return boards.where(sql<boolean>`false`);
	// Words contain no character that has a meaning in a pattern.
	return sought.reduce((query, word) => query.where('words', 'like', `%${word}%`), boards);
}
