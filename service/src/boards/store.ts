// Boards in the database, and pages through them that cost the same however deep.
import type { Kysely } from 'kysely';
import type { BoardRow, Schema } from '../database/schema.ts';
import { type PageRequest, pageFrom } from '../listing.ts';

export interface BoardFilter {
	board_type?: string | undefined;
	status?: BoardRow['status'] | undefined;
}

/** One page of boards, by name. */
export const listBoards = async (
	db: Kysely<Schema>,
	filter: BoardFilter,
	{ limit, after }: PageRequest,
) => {
	let query = db.selectFrom('boards').selectAll();
	if (filter.board_type !== undefined) query = query.where('board_type', '=', filter.board_type);
	if (filter.status !== undefined) query = query.where('status', '=', filter.status);
	if (after) {
		query = query.where(({ eb, refTuple, tuple }) =>
			eb(refTuple('name', 'id'), '>', tuple(...after)),
		);
	}
	const rows = await query
		.orderBy('name')
		.orderBy('id')
		.limit(limit + 1)
		.execute();
	const page = pageFrom(rows, {
		list: boardList(filter),
		limit,
		place: ({ name, id }) => [name, id],
	});
	return { data: page.data.map(boardRecord), next_cursor: page.next_cursor };
};

/** The name of a list of boards, to which its cursors are bound. */
export const boardList = ({ board_type, status }: BoardFilter) =>
	JSON.stringify(['boards', board_type, status]);

/** Every type that has a board, for a filter to choose from. */
export const listBoardTypes = async (db: Kysely<Schema>) => {
	const rows = await db
		.selectFrom('boards')
		.select('board_type')
		.distinct()
		.orderBy('board_type')
		.execute();
	return rows.map((row) => row.board_type);
};

const boardRecord = ({
	id,
	name,
	board_type,
	status,
	description,
	tags,
	created_at,
	updated_at,
}: BoardRow) => ({
	id,
	name,
	board_type,
	status,
	description,
	// Written by this service, as a JSON object of strings.
	tags: JSON.parse(tags) as Record<string, string>,
	created_at,
	updated_at,
});
