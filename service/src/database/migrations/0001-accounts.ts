import type { Kysely } from 'kysely';

export async function createAccounts(db: Kysely<unknown>) {
	await db.schema
		.createTable('accounts')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('email', 'text', (column) => column.notNull().unique())
		.addColumn('role', 'text', (column) => column.notNull())
		.addColumn('disabled_at', 'text')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('updated_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('credentials')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('provider', 'text', (column) => column.notNull())
		.addColumn('issuer', 'text', (column) => column.notNull())
		.addColumn('subject', 'text', (column) => column.notNull())
		.addColumn('password_hash', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('updated_at', 'text', (column) => column.notNull())
		.addUniqueConstraint('credentials_account_provider', ['account_id', 'provider'])
		.execute();
	await db.schema
		.createTable('sessions')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('token_hash', 'text', (column) => column.notNull().unique())
		.addColumn('ip_address', 'text', (column) => column.notNull())
		.addColumn('user_agent', 'text', (column) => column.notNull())
		.addColumn('expires_at', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('updated_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema.createIndex('sessions_account').on('sessions').column('account_id').execute();
	await db.schema
		.createTable('service_secrets')
		.addColumn('name', 'text', (column) => column.primaryKey())
		.addColumn('value', 'text', (column) => column.notNull())
		.execute();
}
