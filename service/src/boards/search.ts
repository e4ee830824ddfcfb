// Boards as people look for them: by part of a name, in any order, on numbered pages. It reads
// every board of the filter, which is a matter of milliseconds for tens of thousands.
import { boardStatuses } from 'board-access-contract';
import { type Kysely, sql } from 'kysely';
import { containing } from '../database/containing.ts';
import type { BoardRow, Schema } from '../database/schema.ts';
import { type BoardFilter, boardColumns, boardRecord, filteredBoards } from './store.ts';

export interface BoardSearch extends BoardFilter {
	/** Part of the name, identifier, type, description or a tag. */
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
	db: Kysely<Schema>,
	search: BoardSearch,
	{ by, descending, limit, offset }: BoardSlice,
) {
	const direction = descending ? 'desc' : 'asc';
	const rows = await matching(db, search)
		.select(boardColumns)
		.orderBy(by, direction)
		.$if(by !== 'name', (query) => query.orderBy('name'))
		.orderBy('id', direction)
		.limit(limit)
		.offset(offset)
		.execute();
	return rows.map((row) => boardRecord(row));
}

// One zero for each status.
const none = Object.fromEntries(boardStatuses.map((status) => [status, 0])) as Record<
	BoardRow['status'],
	number
>;

/** How many boards there are of each status, and of all together. */
export async function countBoardsByStatus(
	db: Kysely<Schema>,
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

/** How many boards of each type there are, and how many of them can be had now. */
export async function summariseBoardTypes(db: Kysely<Schema>) {
	const rows = await db
		.selectFrom('boards')
		.select(['board_type', 'status', ({ fn }) => fn.countAll().as('boards')])
		.groupBy(['board_type', 'status'])
		.orderBy('board_type')
		.execute();
	const types = new Map<string, { board_type: string } & Record<BoardRow['status'], number>>();
	for (const { board_type, status, boards } of rows) {
		const summary = types.get(board_type) ?? { board_type, ...none };
		types.set(board_type, { ...summary, [status]: Number(boards) });
	}
	return [...types.values()];
}

function matching(db: Kysely<Schema>, { text, ...filter }: BoardSearch) {
	const boards = filteredBoards(db, filter);
	if (text === '') return boards;
	return boards.where(({ ref }) => {
		const everything = sql`lower(${ref('name')} || ' ' || ${ref('id')} || ' ' || ${ref('board_type')} || ' ' || ${ref('description')} || ' ' || ${ref('tags')})`;
		return containing(everything, text);
	});
}
