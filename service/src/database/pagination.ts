// Pages and cursors. A cursor holds the place after which the next page starts, and the list it
// belongs to, so that one list's cursor is refused by every other.
import { createHash } from 'node:crypto';
import { type SelectQueryBuilder, sql } from 'kysely';
import { invalid } from '../validation.ts';
import type { Schema } from './schema.ts';

export type Place = readonly [string, string];

const defaultLimit = 100;

export interface PageRequest {
	limit: number;
	after?: Place;
}

/** What `limit` and `cursor` of a query ask of the list. */
export function pageRequest(
	list: string,
	query: { limit?: string | undefined; cursor?: string | undefined },
): PageRequest {
	const limit = query.limit === undefined ? defaultLimit : Number(query.limit);
	if (query.cursor === undefined) return { limit };
	return { limit, after: readCursor(list, query.cursor) };
}

/** The rows of one page, newest first, and one to spare. */
export function newestFirst<Tables extends keyof Schema, Row>(
	query: SelectQueryBuilder<Schema, Tables, Row>,
	{ limit, after }: PageRequest,
) {
	const rest = after
		? query.where(sql<boolean>`(created_at, id) < (${after[0]}, ${after[1]})`)
		: query;
	return rest
		.orderBy(sql`created_at`, 'desc')
		.orderBy(sql`id`, 'desc')
		.limit(limit + 1)
		.execute();
}

/** Cuts one page from rows that were fetched with one to spare. */
export function pageFrom<Row>(
	rows: Row[],
	{ list, limit, place }: { list: string; limit: number; place: (row: Row) => Place },
) {
	const data = rows.slice(0, limit);
	const last = data.at(-1);
	const more = rows.length > limit && last !== undefined;
	return { data, next_cursor: more ? writeCursor(list, place(last)) : null };
}

/** The cursor of the page that follows this place of a list. */
export function writeCursor(list: string, place: Place) {
	return Buffer.from(JSON.stringify([fingerprint(list), ...place])).toString('base64url');
}

function readCursor(list: string, cursor: string): Place {
	const parts = parse(Buffer.from(cursor, 'base64url').toString());
	if (Array.isArray(parts) && parts.length === 3 && parts.every(isText)) {
		const [of, first, second] = parts;
		if (of === fingerprint(list) && first !== undefined && second !== undefined) {
			return [first, second];
		}
	}
	throw invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
}

function fingerprint(list: string) {
	return createHash('sha256').update(list).digest('base64url').slice(0, 8);
}

// PostgreSQL refuses text with a NUL.
function isText(part: unknown): part is string {
	return typeof part === 'string' && !part.includes('\0');
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
