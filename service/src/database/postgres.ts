import { PostgresAdapter } from 'kysely';
import type { Db } from './schema.ts';

export function onPostgres(db: Db) {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}
