// Boards in the database, and pages whose cost does not depend on their position.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type PageRequest, pageFrom } from '../database/pagination.ts';
import { runPrepared } from '../database/prepared.ts';
import type { BoardRow, Schema } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

export interface BoardFilter {
	board_type?: string | undefined;
	status?: BoardRow['status'] | undefined;
}

/** The filter of a list: any of the types, and all of the tags, each `name:value`. */
export interface BoardListFilter extends Omit<BoardFilter, 'board_type'> {
	board_type?: readonly string[] | undefined;
	tag?: readonly string[] | undefined;
}

/** Named one by one, so that a column that is added later does not invalidate a prepared statement. */
export const boardColumns = [
	'id',
	'name',
	'board_type',
	'status',
	'status_reason',
	'description',
	'tags',
	'credits_per_minute',
	'created_at',
	'updated_at',
] as const;

/** One page of boards, by name, as an account sees them. */
export async function listBoards(
	database: Database,
	{ accountId, board_type = [], status, tag = [] }: BoardListFilter & { accountId: string },
	{ limit, after }: PageRequest,
) {
	const [afterName, afterId] = after ?? [];
	const filter = { accountId, status, afterName, afterId, limit: limit + 1 };
	const types = [...new Set(board_type)];
	const rows =
		types.length > 1 || tag.length > 0
			? await boardsOfTypes(database.query, { ...filter, types, tag })
			: await runPrepared(database, {
					name: 'boards',
					values: { ...filter, board_type: types[0] },
					build: boardPage,
				});
	const page = pageFrom(rows, {
		list: boardList({ board_type, status, tag }),
		limit,
		place: ({ name, id }) => [name, id],
	});
	return { ...page, data: page.data.map(boardRecord) };
}

interface BoardPage extends BoardFilter {
	accountId: string;
	afterName: string | undefined;
	afterId: string | undefined;
	limit: number;
}

/** Each type is read in the order of its index and no further than the page, then merged. */
function boardsOfTypes(
	db: Kysely<Schema>,
	{ types, tag, ...filter }: BoardPage & { types: string[]; tag: readonly string[] },
) {
	const pageOf = (board_type: string | undefined) => {
		const page = boardPage(db, { ...filter, board_type });
		const tagged = tag.reduce((query, wanted) => query.where(hasTag(wanted)), page);
		return db.selectFrom(tagged.as('boards')).selectAll();
	};
	return types
		.slice(1)
		.reduce((all, type) => all.unionAll(pageOf(type)), pageOf(types[0]))
		.orderBy('name')
		.orderBy('id')
		.limit(filter.limit)
		.execute();
}

function boardPage(
	db: Kysely<Schema>,
	{ accountId, afterName, afterId, limit, ...filter }: BoardPage,
) {
	let query = filteredBoards(db, filter).select(boardColumns).select(ownLease(accountId));
	if (afterName !== undefined && afterId !== undefined) {
		query = query.where(({ eb, refTuple, tuple }) =>
			eb(refTuple('name', 'id'), '>', tuple(afterName, afterId)),
		);
	}
	return query.orderBy('name').orderBy('id').limit(limit);
}

/** Whether the tags, as this service writes them, have this `name:value`. */
function hasTag(tag: string) {
	const colon = tag.indexOf(':');
	const pair = JSON.stringify({ [tag.slice(0, colon)]: tag.slice(colon + 1) }).slice(1, -1);
	// No quote follows a brace or a comma inside a JSON text, so these are the pair and nothing else.
	// Both databases replace by exact letters, where LIKE of SQLite ignores their case.
	return sql<boolean>`(replace(tags, ${`{${pair}`}, '') <> tags or replace(tags, ${`,${pair}`}, '') <> tags)`;
}

/** The lease that holds a board, for the account that has it. */
function ownLease(accountId: string) {
	return sql<string | null>`case when lease_account_id = ${accountId} then lease_id end`.as(
		'lease_id',
	);
}

/** One board as an account sees it. */
export async function findBoard(
	db: Kysely<Schema>,
	{ accountId, id }: { accountId: string; id: string },
) {
	const row = await db
		.selectFrom('boards')
		.select(boardColumns)
		.select(ownLease(accountId))
		.where('id', '=', id)
		.executeTakeFirst();
	return row && boardRecord(row);
}

export function noSuchBoard() {
	return new ApiError('board_not_found', 'There is no such board.');
}

/** The boards of a filter, without selected columns. */
export function filteredBoards(db: Kysely<Schema>, { board_type, status }: BoardFilter) {
	let query = db.selectFrom('boards');
	if (board_type !== undefined) query = query.where('board_type', '=', board_type);
	if (status !== undefined) query = query.where('status', '=', status);
	return query;
}

/** The name of a list of boards, to which its cursors are bound. */
export function boardList({ board_type = [], status, tag = [] }: BoardListFilter) {
	return JSON.stringify(['boards', board_type, status, tag]);
}

/** Every type that has a board, for a filter to choose from. */
export async function listBoardTypes(db: Kysely<Schema>) {
	const rows = await db
		.selectFrom('boards')
		.select('board_type')
		.distinct()
		.orderBy('board_type')
		.execute();
	return rows.map((row) => row.board_type);
}

export type BoardRecord = ReturnType<typeof boardRecord>;

type SelectedBoard = Pick<BoardRow, (typeof boardColumns)[number]> & { lease_id?: string | null };

/** The record of a row that has the columns above and no other. */
export function boardRecord(row: SelectedBoard) {
	return {
		...row,
		lease_id: row.lease_id ?? null,
		// Written by this service, as a JSON object of strings.
		tags: JSON.parse(row.tags) as Record<string, string>,
	};
}
