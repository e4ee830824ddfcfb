// The tables of the schema, read and compared alike on both databases.
import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrations.ts';
import type { Db } from '../schema.ts';

export interface Table {
	name: string;
	columns: readonly string[];
	key: readonly string[];
	/** The columns of bytes, which can be large. */
	bytes: readonly string[];
}

export type Row = Record<string, string | number | Uint8Array | null>;
export type Key = Row[string][];

/** SQLite accepts 32,766 parameters in a statement. */
const maxRows = 500;
const maxBytes = 4 * 1024 * 1024;

/**
 * The tables that the migrations make, each after those that it refers to. Triggers count in the tables of changes, which
 * therefore come last. PostgreSQL also has `rate_limits`, whose counts are of one minute.
 */
export async function readTables(): Promise<Table[]> {
	const { query, close } = await openDatabase(':memory:');
	await migrate(query);
	const columns = sql<{ table: string; name: string; type: string; pk: number }>`
		select t.name as "table", c.name, c.type, c.pk from sqlite_master t, pragma_table_info(t.name) c
		where t.type = 'table' and t.name not like 'kysely%' order by t.name like '%_changes', t.rowid, c.pk`;
	const { rows } = await columns.execute(query).finally(close);
	const tables = [...Map.groupBy(rows, ({ table }) => table)];
	return tables.map(([name, all]) => ({
		name,
		columns: all.map((column) => column.name),
		key: all.filter(({ pk }) => pk > 0).map((column) => column.name),
		bytes: all.filter(({ type }) => type === 'BLOB').map((column) => column.name),
	}));
}

/** The rows after this key, in the order of the database, as many at a time as fit into memory. */
export async function* readBatches(db: Db, table: Table, after: Key | null = null) {
	const key = list(table.key);
	for (let last = after; ; ) {
		const later: RawBuilder<unknown> = last ? sql`where (${key}) > (${sql.join(last)})` : sql``;
		const from = sql`from ${sql.table(table.name)} ${later} order by ${key}`;
		const limit = await countThatFit(db, table, from);
		const query = sql<Row>`select ${list(table.columns)} ${from} limit ${limit}`;
		const { rows } = await query.execute(db);
		const final = rows.at(-1);
		if (!final) return;
		last = table.key.map((column) => final[column] ?? null);
		yield { rows, key: last };
	}
}

async function countThatFit(db: Db, { bytes }: Table, from: RawBuilder<unknown>) {
	if (bytes.length === 0) return maxRows;
	const sizes = bytes.map((column) => sql`coalesce(length(${sql.ref(column)}), 0)`);
	const query = sql<{ size: number }>`
		select ${sql.join(sizes, sql` + `)} as size ${from} limit ${maxRows}`;
	const { rows } = await query.execute(db);
	let left = maxBytes;
	const over = rows.findIndex(({ size }) => {
		left -= size;
		return left < 0;
	});
	return over < 0 ? maxRows : Math.max(over, 1);
}

/** The number of rows, and a sum that does not depend on their order. */
export async function checksum(db: Db, table: Table) {
	let count = 0;
	let sum = 0n;
	for await (const { rows } of readBatches(db, table)) {
		count += rows.length;
		for (const row of rows) sum = BigInt.asUintN(64, sum + digestOf(table, row));
	}
	return { rows: count, sum: sum.toString(16).padStart(16, '0') };
}

function digestOf({ columns }: Table, row: Row) {
	const values = columns.map((column) => {
		const value = row[column];
		return value instanceof Uint8Array ? [hash('sha256', value)] : value;
	});
	return BigInt(`0x${hash('sha256', JSON.stringify(values)).slice(0, 16)}`);
}

function list(columns: readonly string[]) {
	return sql.join(columns.map((column) => sql.ref(column)));
}
