import { type Kysely, PostgresAdapter } from 'kysely';
import type { Schema } from './schema.ts';

export function onPostgres(db: Kysely<Schema>) {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}
