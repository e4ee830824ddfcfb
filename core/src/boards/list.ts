// Boards by name, as the API lists them: a page costs the same however deep it is.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type PageQuery, pageFrom, pageRequest } from '../database/pagination.ts';
import type { BoardRow, Db } from '../database/schema.ts';
import { boardRecord, ownLease, recordColumns } from './store.ts';

export interface BoardFilter {
	board_type?: string | readonly string[] | undefined;
	status?: BoardRow['status'] | undefined;
	/** Each is a `name:value`. */
	tag?: readonly string[] | undefined;
	has_agent?: 'true' | 'false' | undefined;
}

/** One page of boards, by name, as the JSON of the response, with the leases of one account or with none. */
export async function readBoardsPage(
	database: Pick<Database, 'query'>,
	filter: BoardFilter,
	{ accountId = '', ...request }: PageQuery & { accountId?: string | undefined },
) {
	const { board_type = [], status, tag = [], has_agent } = filter;
	const list = JSON.stringify(['boards', board_type, status, tag, has_agent]);
	const { limit, after } = pageRequest(list, request);
	const rows = await filteredBoards(database.query, filter)
		.select([...recordColumns, 'lease_account_id', 'name_key'])
		.select(ownLease(accountId))
		.$if(after !== undefined, (query) =>
			query.where(sql<boolean>`(name_key, id) > (${after?.[0]}, ${after?.[1]})`),
		)
		.orderBy('name_key')
		.orderBy('id')
		.limit(limit + 1)
		.execute();
	const page = pageFrom(rows, { list, limit, place: ({ name_key, id }) => [name_key, id] });
	const holders = new Set(page.data.map((row) => row.lease_account_id));
	const json = JSON.stringify({ ...page, data: page.data.map(boardRecord) });
	return { json, next: page.next_cursor, holders };
}

/** Whether reading the page may read every board, because no index has these boards by name. */
export function isCostly({ tag = [], has_agent }: BoardFilter) {
	return tag.length > 0 || has_agent !== undefined;
}

export function filteredBoards(
	db: Db,
	{ board_type = [], status, tag = [], has_agent }: BoardFilter,
) {
	const types = [board_type].flat();
	let query = db.selectFrom('boards');
	if (types.length > 0) query = query.where('board_type', 'in', types);
	if (status !== undefined) query = query.where('status', '=', status);
	if (has_agent) query = query.where('agent_id', has_agent === 'true' ? 'is not' : 'is', null);
	for (const pair of tag) query = query.where(hasTag(pair));
	return query;
}

/** Whether the tags, as this service writes them, have this `name:value`. */
function hasTag(tag: string) {
	const colon = tag.indexOf(':');
	const pair = JSON.stringify({ [tag.slice(0, colon)]: tag.slice(colon + 1) }).slice(1, -1);
	// No quote follows a brace or a comma inside a JSON text, so these are the pair and nothing else.
	// Both databases replace by exact letters, where LIKE of SQLite ignores their case.
	return sql<boolean>`(replace(tags, ${`{${pair}`}, '') <> tags or replace(tags, ${`,${pair}`}, '') <> tags)`;
}
