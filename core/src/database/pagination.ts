// Pages and cursors. A cursor contains the values of the last row that its list is sorted by, so a page costs the same
// however deep it is, and a fingerprint of the list, so that other lists reject it.
import { hash } from 'node:crypto';
import { type SelectQueryBuilder, sql } from 'kysely';
import { invalid, parseJson } from '../validation.ts';
import type { Schema } from './schema.ts';

export interface PageQuery {
	limit?: string | number | undefined;
	cursor?: string | null | undefined;
}

interface List<Column extends string> {
	/** Differs between lists, and between the filters of a list. */
	name: string;
	/** The columns by which it is sorted. No two rows have the same values in all of them. */
	by: readonly Column[];
	direction: 'asc' | 'desc';
}

export function newestFirst(name: string) {
	return { name, by: ['created_at', 'id'], direction: 'desc' } as const;
}

/** Reads one more row than fits on the page, which shows that there is a next one. */
export async function readPage<
	Tables extends keyof Schema,
	Row extends Record<Column, unknown>,
	Column extends string,
>(query: SelectQueryBuilder<Schema, Tables, Row>, list: List<Column>, request: PageQuery) {
	const limit = limitOf(request);
	const columns = list.by.map((column) => sql.ref(column));
	let sorted = query;
	if (request.cursor) {
		const comparison = sql.raw(list.direction === 'asc' ? '>' : '<');
		const after = sql.join(readCursor(list, request.cursor));
		sorted = sorted.where(sql<boolean>`(${sql.join(columns)}) ${comparison} (${after})`);
	}
	for (const column of columns) sorted = sorted.orderBy(column, list.direction);
	return pageOf(await sorted.limit(limit + 1).execute(), list, limit);
}

export function limitOf({ limit = 100 }: PageQuery) {
	return Number(limit);
}

/** The page of rows of which there is one more than fits if there is a next page. */
export function pageOf<Row extends Record<Column, unknown>, Column extends string>(
	rows: readonly Row[],
	list: List<Column>,
	limit: number,
) {
	const data = rows.slice(0, limit);
	const last = data.at(-1);
	const next_cursor = rows.length > limit && last ? writeCursor(list, last) : null;
	return { data, next_cursor };
}

/** Whether the column has the text in it, in upper or lower case. */
export function hasText(column: string, text: string) {
	const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
	return sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`;
}

function writeCursor<Column extends string>(
	list: List<Column>,
	row: Readonly<Record<Column, unknown>>,
) {
	const values = list.by.map((column) => row[column]);
	return Buffer.from(JSON.stringify([fingerprint(list), ...values])).toString('base64url');
}

function readCursor(list: List<string>, cursor: string) {
	const parts = parseJson(Buffer.from(cursor, 'base64url').toString());
	if (Array.isArray(parts) && parts.length === list.by.length + 1) {
		const [of, ...values] = parts;
		const areValues = list.by.every((column, index) => isValue(column, values[index]));
		if (of === fingerprint(list) && areValues) return values;
	}
	throw invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
}

function fingerprint({ name }: List<string>) {
	return hash('sha256', name, 'base64url').slice(0, 8);
}

const numberColumns = ['position', 'credits_per_minute'];
const maxNumber = 2 ** 31 - 1;

/** PostgreSQL rejects text with a NUL, text as a number, and numbers that are too large. */
function isValue(column: string, value: unknown) {
	if (!numberColumns.includes(column)) return typeof value === 'string' && !value.includes('\0');
	return Number.isInteger(value) && Math.abs(Number(value)) <= maxNumber;
}
