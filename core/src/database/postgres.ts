// What SQLite and PostgreSQL write differently. Only PostgreSQL also needs locks.ts and wake.ts.
import { PostgresAdapter, sql } from 'kysely';
import type { Db } from './schema.ts';

export function onPostgres(db: Db) {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** A table of the objects in a list, each as the JSON `value`. */
export function jsonRows(db: Db, list: readonly object[]) {
	const name = onPostgres(db) ? sql`json_array_elements` : sql`json_each`;
	return sql`${name}(${JSON.stringify(list)})`;
}

/** Keeps no copy of what was deleted. The log of SQLite would, until it is written again. */
export async function forgetDeleted(db: Db) {
	if (!onPostgres(db)) await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/** Whether an error means that a row with the same primary key, or another unique one, exists in the table. */
export function isUniqueViolation(error: unknown, table: string) {
	if (!(error instanceof Error)) return false;
	if ('table' in error && 'code' in error) return error.code === '23505' && error.table === table;
	return error.message.startsWith(`UNIQUE constraint failed: ${table}.`);
}
