// Where the SQL of SQLite and PostgreSQL differs.
import { PostgresAdapter, sql } from 'kysely';
import type { Db } from './schema.ts';

export function onPostgres(db: Db) {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** A list as a table, with each object as the JSON `value`: one parameter for any number of rows. */
export function jsonRows(db: Db, list: readonly object[]) {
	const name = onPostgres(db) ? sql`json_array_elements` : sql`json_each`;
	return sql`${name}(${JSON.stringify(list)})`;
}

/** Removes deleted data from the log of SQLite, too. */
export async function forgetDeleted(db: Db) {
	if (!onPostgres(db)) await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

export function isUniqueViolation(error: unknown, table: string) {
	if (!(error instanceof Error)) return false;
	if ('table' in error && 'code' in error) return error.code === '23505' && error.table === table;
	return error.message.startsWith(`UNIQUE constraint failed: ${table}.`);
}
