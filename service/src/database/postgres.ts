// What PostgreSQL needs because it runs many transactions at a time, and SQLite does not.
import { type Kysely, PostgresAdapter } from 'kysely';
import type { Schema } from './schema.ts';

export function onPostgres(db: Kysely<Schema>) {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Runs in the transaction that is under way, or in one of its own. */
export function inTransaction<Result>(
	db: Kysely<Schema>,
	run: (db: Kysely<Schema>) => Promise<Result>,
) {
	return db.isTransaction ? run(db) : db.transaction().execute(run);
}
