import type { Kysely } from 'kysely';

export async function createAccountLinks(db: Kysely<unknown>) {
	await db.schema.alterTable('accounts').addColumn('verified_at', 'text').execute();
	await db.schema
		.createTable('account_links')
		.addColumn('hash', 'text', (column) => column.primaryKey())
		.addColumn('kind', 'text', (column) => column.notNull())
		.addColumn('email', 'text', (column) => column.notNull())
		.addColumn('expires_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema.createIndex('account_links_email').on('account_links').column('email').execute();
}
