import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function createFilesAndConsoles(db: Kysely<unknown>) {
	const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
	const bytes = onPostgres ? 'bytea' : 'blob';
	await db.schema
		.createTable('files')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('lease_id', 'text', (column) => column.references('leases.id'))
		.addColumn('url', 'text')
		.addColumn('size', 'integer', (column) => column.notNull())
		.addColumn('sha256', 'text', (column) => column.notNull())
		.addColumn('format', 'text', (column) => column.notNull())
		.addColumn('data', bytes, (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema.createIndex('files_lease').on('files').column('lease_id').execute();
	await db.schema.createIndex('files_url').on('files').column('url').execute();
	// Console bytes need not outlive a crash of the database, and unlogged they cost a sixth.
	const table = db.schema.createTable('console_chunks');
	await (onPostgres ? table.modifyFront(sql`unlogged`) : table)
		.addColumn('lease_id', 'text', (column) => column.notNull())
		.addColumn('direction', 'text', (column) => column.notNull())
		.addColumn('offset', 'bigint', (column) => column.notNull())
		.addColumn('data', bytes, (column) => column.notNull())
		.addPrimaryKeyConstraint('console_chunks_primary', ['lease_id', 'direction', 'offset'])
		.execute();
}
