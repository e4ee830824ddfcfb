// Boards by name, as the API lists them: a page costs the same however deep it is.
import { sql } from 'kysely';
import { type Database, readRows } from '../database/database.ts';
import { type PageRequest, type Place, pageFrom } from '../database/pagination.ts';
import type { BoardRow } from '../database/schema.ts';
import { type BoardFilter, boardRecord, keepsFirmware, ownLease, storedColumns } from './store.ts';

export interface BoardListFilter extends Omit<BoardFilter, 'board_type'> {
	board_type?: readonly string[] | undefined;
	tag?: readonly string[] | undefined;
}

/** One page of boards, by name, as the JSON of the response, with the leases of one account or with none. */
export async function readBoardsPage(
	database: Pick<Database, 'query' | 'readNow'>,
	filter: BoardListFilter,
	{ limit, after, accountId = '' }: PageRequest & { accountId?: string | undefined },
) {
	// As text, because building the query would cost more than running it.
	const select = sql<ListedRow>`select ${columns}, ${keepsFirmware} as keeps_firmware, ${ownLease(accountId)} from boards
		where ${sql.join(conditionsOf(filter, after), sql` and `)}
		order by name_key, id limit ${limit + 1}`;
	const rows = await readRows(database, select.compile(database.query));
	const list = boardList(filter);
	const page = pageFrom(rows, { list, limit, place: ({ name_key, id }) => [name_key, id] });
	const holders = new Set(page.data.map((row) => row.lease_account_id));
	return { json: JSON.stringify({ ...page, data: page.data.map(boardRecord) }), holders };
}

/** Whether reading the page may read every board, because tags have no index. */
export function isCostly({ tag = [] }: BoardListFilter) {
	return tag.length > 0;
}

/** The name of a list of boards, to which its cursors are bound. */
export function boardList({ board_type = [], status, tag = [] }: BoardListFilter) {
	return JSON.stringify(['boards', board_type, status, tag]);
}

const listedColumns = [...storedColumns, 'lease_account_id', 'name_key'] as const;
const columns = sql.raw(listedColumns.join(', '));
type ListedRow = Pick<BoardRow, (typeof listedColumns)[number] | 'lease_id'> & {
	keeps_firmware: number | null;
};

function conditionsOf({ board_type = [], status, tag = [] }: BoardListFilter, after?: Place) {
	return [
		...(board_type.length > 0 ? [sql`board_type in (${sql.join(board_type)})`] : []),
		...(status === undefined ? [] : [sql`status = ${status}`]),
		...(after ? [sql`(name_key, id) > (${after[0]}, ${after[1]})`] : []),
		...tag.map(hasTag),
		sql`true`,
	];
}

/** Whether the tags, as this service writes them, have this `name:value`. */
function hasTag(tag: string) {
	const colon = tag.indexOf(':');
	const pair = JSON.stringify({ [tag.slice(0, colon)]: tag.slice(colon + 1) }).slice(1, -1);
	// No quote follows a brace or a comma inside a JSON text, so these are the pair and nothing else.
	// Both databases replace by exact letters, where LIKE of SQLite ignores their case.
	return sql<boolean>`(replace(tags, ${`{${pair}`}, '') <> tags or replace(tags, ${`,${pair}`}, '') <> tags)`;
}
