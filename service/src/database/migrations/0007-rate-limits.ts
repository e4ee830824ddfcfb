// The names and types are those that rate-limiter-flexible reads and writes. Counts need not outlive
// a crash, and unlogged they are written without waiting for the disk. On SQLite they are in memory.
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function createRateLimits(db: Kysely<unknown>) {
	if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
	await db.schema
		.createTable('rate_limits')
		.modifyFront(sql`unlogged`)
		.addColumn('key', 'varchar(255)', (column) => column.primaryKey())
		.addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
		.addColumn('expire', 'bigint')
		.execute();
}
