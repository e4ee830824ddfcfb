// Rows for every table that the schema has, made from its columns, so that a new table is filled too.
import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { readTables } from '../../src/database/copy/tables.ts';
import type { Db } from '../../src/database/schema.ts';

interface Column {
	name: string;
	dataType: string;
	isNullable: boolean;
}

/** What only one of the databases has, and what Kysely keeps. */
const notCopied = /^(rate_limits|kysely_.*)$/;

export async function tablesOf(query: Db) {
	const tables = await query.introspection.getTables();
	return tables.filter(({ name }) => !notCopied.test(name));
}

// Their order depends on the collation. No name is the start of another.
const names = ['b', 'B', 'ä', '_', 'a-a', 'Aa', '\u{1f600}', '1', "it's", 'new\nline'];

/** Fills each table with as many rows, and some with more. Rows refer to those of the same number. */
export async function fillTables(query: Db, count: number, more: Record<string, number> = {}) {
	// Migrations made its row.
	await sql`delete from board_changes`.execute(query);
	const keys = new Map((await readTables()).map(({ name, key }) => [name, key]));
	const left = await tablesOf(query);
	for (let attempts = 0; left.length > 0; attempts += 1) {
		const [table] = left.splice(0, 1);
		if (!table || attempts > 1_000) throw new Error(`Nothing can be inserted into ${table?.name}`);
		const length = table.name === 'service_time' ? 1 : (more[table.name] ?? count);
		// SQLite says that a key of text can be null.
		const columns = table.columns.map((column) =>
			keys.get(table.name)?.includes(column.name) ? { ...column, isNullable: false } : column,
		);
		const rows = Array.from({ length }, (_, number) => rowOf(columns, number));
		await sql`delete from ${sql.table(table.name)}`.execute(query);
		// A table that refers to one without rows has to wait for it.
		await insertAll(query, table.name, rows).catch((error) => {
			if (!/foreign key/i.test(String(error))) throw error;
			left.push(table);
		});
	}
}

type Row = ReturnType<typeof rowOf>;

function insertAll(query: Db, table: string, rows: Row[]) {
	const untyped = query as unknown as Kysely<Record<string, Row>>;
	return untyped.transaction().execute(async (db) => {
		for (let at = 0; at < rows.length; at += 100) {
			await db
				.insertInto(table)
				.values(rows.slice(at, at + 100))
				.execute();
		}
	});
}

function rowOf(columns: readonly Column[], number: number) {
	return Object.fromEntries(columns.map((column) => [column.name, sampleOf(column, number)]));
}

function sampleOf({ name, dataType, isNullable }: Column, number: number) {
	const isReference = name.endsWith('_id') || name === 'id';
	if (isNullable && !isReference && (number + name.length) % 3 === 0) return null;
	if (/bytea|blob/i.test(dataType)) return bytes(number);
	if (/int8|bigint/i.test(dataType)) return number === 1 ? 2 ** 52 : number + 1;
	// The other integers have 32 bits on PostgreSQL.
	if (/int/i.test(dataType)) return number === 1 ? 2 ** 31 - 1 : number + 1;
	const text = names[number % names.length];
	return isReference ? `${text} ${number}` : `${text} ${name} ${number}`;
}

function bytes(number: number) {
	return Buffer.from(Array.from({ length: (number * 37) % 300 }, (_, at) => (at * 7) % 256));
}

/** The number of rows of each table, and a digest of their values. */
export async function contentOf(query: Db) {
	const content: Record<string, { count: number; digest: string }> = {};
	for (const { name } of await tablesOf(query)) {
		const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(query);
		const texts = rows.map((row) => JSON.stringify(Object.entries(row).sort().map(plainValue)));
		content[name] = { count: rows.length, digest: hash('sha256', texts.sort().join('\n')) };
	}
	return content;
}

/** Each database has its own class for bytes. */
function plainValue([name, value]: [string, unknown]) {
	return [name, value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value];
}
