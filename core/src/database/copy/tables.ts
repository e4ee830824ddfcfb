// The tables of the schema, read and compared alike on both databases.
import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrations.ts';
import type { Db } from '../schema.ts';

export type Row = Record<string, string | number | Uint8Array | null>;
export type Key = Row[string][];
export type Table = Awaited<ReturnType<typeof readTables>>[number];

/** SQLite accepts 32,766 parameters in a statement. */
const maxRows = 500;
const maxBytes = 4 * 1024 * 1024;

/**
 * The tables that the migrations make, each after those that it refers to. Triggers count in the tables of changes, which
 * therefore come last. PostgreSQL also has `rate_limits`, whose counts are of one minute.
 */
export async function readTables() {
	const { query, close } = await openDatabase(':memory:');
	await migrate(query);
	const columns = sql<{ table: string; name: string; type: string; pk: number }>`
		select t.name as "table", c.name, c.type, c.pk from sqlite_master t, pragma_table_info(t.name) c
		where t.type = 'table' and t.name not like 'kysely%' order by t.name like '%_changes', t.rowid, c.pk`;
	const { rows } = await columns.execute(query).finally(close);
	return [...Map.groupBy(rows, ({ table }) => table)].map(([name, all]) => ({
		name,
		key: all.filter(({ pk }) => pk > 0).map((column) => column.name),
		/** The columns of bytes, which can be large. */
		bytes: all.filter(({ type }) => type === 'BLOB').map((column) => column.name),
	}));
}

/** The rows after this key, in the order of the database, as many at a time as fit into memory. */
export async function* readBatches(db: Db, table: Table, after: Key | null = null) {
	const key = sql.join(table.key.map((column) => sql.ref(column)));
	for (let last = after; ; ) {
		const later: RawBuilder<unknown> = last ? sql`where (${key}) > (${sql.join(last)})` : sql``;
		const from = sql`from ${sql.table(table.name)} ${later} order by ${key}`;
		const limit = await countThatFit(db, table, from);
		const { rows } = await sql<Row>`select * ${from} limit ${limit}`.execute(db);
		const final = rows.at(-1);
		if (!final) return;
		last = table.key.map((column) => final[column] ?? null);
		yield { rows, key: last };
	}
}

async function countThatFit(db: Db, { bytes }: Table, from: RawBuilder<unknown>) {
	if (bytes.length === 0) return maxRows;
	const sizes = bytes.map((column) => sql`coalesce(length(${sql.ref(column)}), 0)`);
	const query = sql<{ size: number }>`select ${sql.join(sizes, sql` + `)} as size ${from}`;
	let left = maxBytes;
	const { rows } = await sql<{ size: number }>`${query} limit ${maxRows}`.execute(db);
	const over = rows.findIndex(({ size }) => {
		left -= size;
		return left < 0;
	});
	return over < 0 ? maxRows : Math.max(over, 1);
}

/** The number of rows, and a sum that does not depend on their order. */
export async function checksum(db: Db, table: Table) {
	let [count, sum] = [0, 0n];
	for await (const { rows } of readBatches(db, table)) {
		count += rows.length;
		for (const row of rows) sum = BigInt.asUintN(64, sum + digestOf(row));
	}
	return { table: table.name, rows: count, sum: sum.toString(16).padStart(16, '0') };
}

function digestOf(row: Row) {
	const names = Object.keys(row).sort();
	const values = names.map((name) => {
		const value = row[name];
		return value instanceof Uint8Array ? [hash('sha256', value)] : value;
	});
	return BigInt(`0x${hash('sha256', JSON.stringify(values)).slice(0, 16)}`);
}
