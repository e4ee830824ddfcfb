import type { Kysely } from 'kysely';

export async function createCredits(db: Kysely<unknown>) {
	await db.schema
		.createTable('credit_entries')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('amount', 'integer', (column) => column.notNull())
		.addColumn('reason', 'text', (column) => column.notNull())
		.addColumn('reference', 'text', (column) => column.notNull().unique())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createIndex('credit_entries_account')
		.on('credit_entries')
		.columns(['account_id', 'created_at', 'id'])
		.execute();
}
