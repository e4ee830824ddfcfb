// PostgreSQL runs many transactions at a time, so that some have to wait for others. SQLite runs one
// that writes at a time anyway.
import { sql } from 'kysely';
import { onPostgres } from './postgres.ts';
import type { Db, Schema } from './schema.ts';

/** Runs the work in the transaction that is open, or in a new one. */
export function inTransaction<Result>(db: Db, work: (db: Db) => Promise<Result>) {
	return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** Allows one transaction at a time to write a table, if what it writes depends on all rows. */
export async function lockTable(transaction: Db, table: keyof Schema) {
	if (!onPostgres(transaction)) return;
	await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
}
