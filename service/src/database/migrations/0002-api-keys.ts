import type { Kysely } from 'kysely';

export async function createApiKeys(db: Kysely<unknown>) {
	await db.schema
		.createTable('api_keys')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('hash', 'text', (column) => column.notNull().unique())
		.addColumn('hint', 'text', (column) => column.notNull())
		.addColumn('label', 'text')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('last_used_at', 'text')
		.addColumn('revoked_at', 'text')
		.execute();
	await db.schema
		.createIndex('api_keys_newest')
		.on('api_keys')
		.columns(['account_id', 'created_at', 'id'])
		.execute();
}
