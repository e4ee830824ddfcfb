// Pages and cursors. A cursor contains the place where the next page starts, and a fingerprint of its list, so that
// other lists reject it.
import { hash } from 'node:crypto';
import { type SelectQueryBuilder, sql } from 'kysely';
import { invalid, parseJson } from '../validation.ts';
import type { Schema } from './schema.ts';

export type Place = readonly [string, string];

const defaultLimit = 100;

export interface PageQuery {
	limit?: string | number | undefined;
	cursor?: string | null | undefined;
}

export function pageRequest(list: string, { limit: asked = defaultLimit, cursor }: PageQuery) {
	const limit = Number(asked);
	return cursor ? { limit, after: readCursor(list, cursor) } : { limit };
}

export async function newestFirst<Tables extends keyof Schema, Row extends Dated>(
	query: SelectQueryBuilder<Schema, Tables, Row>,
	list: string,
	request: PageQuery,
) {
	const { limit, after } = pageRequest(list, request);
	const rows = await query
		.$if(after !== undefined, (query) =>
			query.where(sql<boolean>`(created_at, id) < (${after?.[0]}, ${after?.[1]})`),
		)
		.orderBy(sql`created_at`, 'desc')
		.orderBy(sql`id`, 'desc')
		.limit(limit + 1)
		.execute();
	return pageFrom(rows, { list, limit, place: ({ created_at, id }) => [created_at, id] });
}

interface Dated {
	created_at: string;
	id: string;
}

/** Makes a page of rows that were read with one more, which shows that there is a next page. */
export function pageFrom<Row>(
	rows: Row[],
	{ list, limit, place }: { list: string; limit: number; place: (row: Row) => Place },
) {
	const data = rows.slice(0, limit);
	const last = data.at(-1);
	const more = rows.length > limit && last !== undefined;
	return { data, next_cursor: more ? writeCursor(list, place(last)) : null };
}

function writeCursor(list: string, place: Place) {
	return Buffer.from(JSON.stringify([fingerprint(list), ...place])).toString('base64url');
}

function readCursor(list: string, cursor: string): Place {
	const parts = parseJson(Buffer.from(cursor, 'base64url').toString());
	if (Array.isArray(parts) && parts.length === 3 && parts.every(isText)) {
		const [of, first, second] = parts;
		if (of === fingerprint(list) && first !== undefined && second !== undefined) {
			return [first, second];
		}
	}
	throw invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
}

function fingerprint(list: string) {
	return hash('sha256', list, 'base64url').slice(0, 8);
}

// PostgreSQL rejects text with a NUL.
function isText(part: unknown): part is string {
	return typeof part === 'string' && !part.includes('\0');
}
