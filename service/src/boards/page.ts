// Pages of boards for the API. The database writes them as the JSON of the response, which costs less
// than reading rows and writing them out again. A page costs the same however deep it is.
import type { Database } from '../database/database.ts';
import { type PageRequest, writeCursor } from '../database/pagination.ts';
import { runPlain } from '../database/plain.ts';
import { type BoardFilter, boardColumns } from './store.ts';

/** The filter of a list: any of the types, and all of the tags, each `name:value`. */
export interface BoardListFilter extends Omit<BoardFilter, 'board_type'> {
	board_type?: readonly string[] | undefined;
	tag?: readonly string[] | undefined;
}

export interface BoardsPage {
	/** The body of the response. */
	json: string;
	/** The accounts with a lease on one of these boards; everybody else sees the same page. */
	holders: ReadonlySet<string>;
}

/** One page of boards, by name, with the leases of one account, or with none. */
export async function readBoardsPage(
	database: Database,
	filter: BoardListFilter,
	{ limit, accountId = '', after }: PageRequest & { accountId?: string },
): Promise<BoardsPage> {
	const types = [...new Set(filter.board_type)];
	const parts = (types.length > 0 ? types : [undefined]).map((type) =>
		boardsOf(type, filter, { limit: limit + 1, ...(after && { after }) }),
	);
	const columns = `${database.pool ? postgresRecord : sqliteRecord} as record, lease_account_id, name, id`;
	const selects = parts.map((part) => `select ${columns} ${part.text}`);
	const text = `select string_agg(record, ',') as records, string_agg(lease_account_id, ' ') as holders,
		count(*) as found from (${selects.length > 1 ? merged(selects, limit + 1) : selects[0]}) as page`;
	const values = parts.flatMap((part) => [accountId, ...part.values]);
	// Some shapes come again and again; the others are too many to keep a plan of each.
	const usual = types.length <= 1 && !filter.tag;
	const name = usual
		? `boards ${types.length} ${filter.status ? 1 : 0} ${after ? 1 : 0}`
		: undefined;
	const connection = isCostly(filter) ? readerOf(database) : database;
	const [page] = await runPlain<PageRow>(connection, { text, values, name });
	const { records, next } = cutPage(page?.records ?? '', page !== undefined && page.found > limit);
	const cursor = next && writeCursor(boardList(filter), [next.name, next.id]);
	return {
		json: `{"data":[${records}],"next_cursor":${JSON.stringify(cursor)}}`,
		holders: new Set(page?.holders?.split(' ')),
	};
}

/** Whether reading the page may read every board, because tags have no index. */
export function isCostly({ tag }: BoardListFilter) {
	return tag !== undefined && tag.length > 0;
}

/** The name of a list of boards, to which its cursors are bound. */
export function boardList({ board_type = [], status, tag = [] }: BoardListFilter) {
	return JSON.stringify(['boards', board_type, status, tag]);
}

function readerOf({ reader, readerPool }: Database) {
	return { query: reader, ...(readerPool && { pool: readerPool }) };
}

interface PageRow {
	records: string | null;
	holders: string | null;
	found: number;
}

const ownLease = 'case when lease_account_id = ? then lease_id end';

// The tags are written by this service, as JSON without white space.
const sqliteRecord = `json_object(${[
	...boardColumns.map((name) => `'${name}', ${name === 'tags' ? 'json(tags)' : name}`),
	`'lease_id', ${ownLease}`,
	`'has_agent', json(iif(agent_id is null, 'false', 'true'))`,
	`'memory', json(capabilities -> '$.memory')`,
].join(', ')})`;

// Its own objects have white space in them.
const postgresRecord = `'{${[
	...boardColumns.map((name) => [name, name === 'tags' ? name : `to_json(${name})::text`]),
	['lease_id', `coalesce(to_json(${ownLease})::text, 'null')`],
	['has_agent', '(agent_id is not null)::text'],
	['memory', "coalesce((capabilities::json -> 'memory')::text, 'null')"],
]
	.map(([name, text]) => `"${name}":' || ${text} || '`)
	.join(',')}}'`;

/** The boards of one type, read in the order of their index and no further than the page. */
function boardsOf(
	type: string | undefined,
	{ status, tag = [] }: BoardListFilter,
	{ limit, after }: PageRequest,
) {
	const conditions = [
		...(type === undefined ? [] : [{ text: 'board_type = ?', values: [type] }]),
		...(status === undefined ? [] : [{ text: 'status = ?', values: [status] }]),
		...(after ? [{ text: '(name, id) > (?, ?)', values: after }] : []),
		...tag.map(hasTag),
	];
	const where = conditions.map(({ text }) => text).join(' and ') || 'true';
	return {
		text: `from boards where ${where} order by name, id limit ?`,
		values: [...conditions.flatMap(({ values }) => values), limit],
	};
}

function merged(selects: readonly string[], limit: number) {
	const all = selects.map((select) => `select * from (${select}) as part`).join(' union all ');
	return `${all} order by name, id limit ${limit}`;
}

/** Whether the tags, as this service writes them, have this `name:value`. */
function hasTag(tag: string) {
	const colon = tag.indexOf(':');
	const pair = JSON.stringify({ [tag.slice(0, colon)]: tag.slice(colon + 1) }).slice(1, -1);
	// No quote follows a brace or a comma inside a JSON text, so these are the pair and nothing else.
	// Both databases replace by exact letters, where LIKE of SQLite ignores their case.
	const text = "(replace(tags, ?, '') <> tags or replace(tags, ?, '') <> tags)";
	return { text, values: [`{${pair}`, `,${pair}`] };
}

/** Cuts off the board that was read to see whether more follow, and finds the last one before it. */
function cutPage(records: string, more: boolean) {
	if (!more) return { records, next: null };
	const page = records.slice(0, records.lastIndexOf(recordStart));
	const last: BoardPlace = JSON.parse(page.slice(page.lastIndexOf(recordStart) + 1));
	return { records: page, next: last };
}

type BoardPlace = { id: string; name: string };

// Nothing else in a JSON text of boards looks like this: quotes in values are escaped, and no list
// has objects in it but the page itself.
const recordStart = ',{"id":"';
