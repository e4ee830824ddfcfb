import type { Kysely } from 'kysely';

export async function createIdempotency(db: Kysely<unknown>) {
	await db.schema
		.createTable('idempotency')
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('idempotency_key', 'text', (column) => column.notNull())
		.addColumn('request_hash', 'text', (column) => column.notNull())
		.addColumn('resource_id', 'text')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addPrimaryKeyConstraint('idempotency_primary', ['account_id', 'idempotency_key'])
		.execute();
	await db.schema.createIndex('idempotency_age').on('idempotency').column('created_at').execute();
}
