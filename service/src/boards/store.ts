// Boards in the database, and pages through them that cost the same however deep.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type PageRequest, type Place, pageFrom } from '../database/pagination.ts';
import { runPrepared } from '../database/prepared.ts';
import type { BoardRow, Schema } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

export interface BoardFilter {
	board_type?: string | undefined;
	status?: BoardRow['status'] | undefined;
}

/** Named one by one, so that a column that is added later does not unsettle a plan in use. */
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
	{ accountId, ...filter }: BoardFilter & { accountId: string },
	{ limit, after }: PageRequest,
) {
	const { board_type, status } = filter;
	const parameters = [accountId, board_type, status, ...(after ?? [])].filter(
		(value) => value !== undefined,
	);
	const rows = await runPrepared(database, {
		shape: `boards ${board_type !== undefined} ${status !== undefined} ${after !== undefined}`,
		build: (db) => boardPage(db, filter, after),
		parameters: [...parameters, limit + 1],
	});
	const page = pageFrom(rows, {
		list: boardList(filter),
		limit,
		place: ({ name, id }) => [name, id],
	});
	return { ...page, data: page.data.map(boardRecord) };
}

function boardPage(db: Kysely<Schema>, filter: BoardFilter, after?: Place) {
	let query = filteredBoards(db, filter).select(boardColumns).select(ownLease(''));
	if (after) {
		query = query.where(({ eb, refTuple, tuple }) =>
			eb(refTuple('name', 'id'), '>', tuple(...after)),
		);
	}
	return query.orderBy('name').orderBy('id').limit(1);
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

/** The boards of a filter, of which nothing is selected yet. */
export function filteredBoards(db: Kysely<Schema>, { board_type, status }: BoardFilter) {
	let query = db.selectFrom('boards');
	if (board_type !== undefined) query = query.where('board_type', '=', board_type);
	if (status !== undefined) query = query.where('status', '=', status);
	return query;
}

/** The name of a list of boards, to which its cursors are bound. */
export function boardList({ board_type, status }: BoardFilter) {
	return JSON.stringify(['boards', board_type, status]);
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

// Field by field: spreading the rows of a page would cost a quarter of the request.
export function boardRecord({
	id,
	name,
	board_type,
	status,
	status_reason,
	description,
	tags,
	credits_per_minute,
	lease_id = null,
	created_at,
	updated_at,
}: Pick<BoardRow, (typeof boardColumns)[number]> & { lease_id?: string | null }) {
	return {
		id,
		name,
		board_type,
		status,
		status_reason,
		description,
		// Written by this service, as a JSON object of strings.
		tags: JSON.parse(tags) as Record<string, string>,
		credits_per_minute,
		lease_id,
		created_at,
		updated_at,
	};
}
