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

const naturalOrder = new Intl.Collator('en', { numeric: true });

/** A page of boards in natural order, in which board-2 comes before board-10. */
export async function searchBoards(
	db: Kysely<Schema>,
	search: BoardSearch,
	{ by, descending, limit, offset }: BoardSlice,
) {
	// Neither database sorts numbers inside a text, so the page is chosen here.
	const found = await matching(db, search).select(['id', 'name', by]).execute();
	const sign = descending ? -1 : 1;
	found.sort(
		(one, other) =>
			sign * naturalOrder.compare(one[by], other[by]) ||
			naturalOrder.compare(one.name, other.name) ||
			naturalOrder.compare(one.id, other.id),
	);
	const ids = found.slice(offset, offset + limit).map(({ id }) => id);
	if (ids.length === 0) return [];
	const rows = await db.selectFrom('boards').select(boardColumns).where('id', 'in', ids).execute();
	const byId = new Map(rows.map((row) => [row.id, boardRecord(row)]));
	return ids.flatMap((id) => byId.get(id) ?? []);
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

/** How many boards of each type there are, and how many of them are available. */
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
