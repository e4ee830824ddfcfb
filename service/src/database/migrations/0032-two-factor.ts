import type { Kysely } from 'kysely';

export async function createTwoFactor(db: Kysely<unknown>) {
	await db.schema.alterTable('accounts').addColumn('two_factor_at', 'text').execute();
	await db.schema
		.createTable('two_factor')
		.addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
		.addColumn('secret', 'text', (column) => column.notNull())
		.addColumn('last_step', 'integer', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('recovery_codes')
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('hash', 'text', (column) => column.notNull())
		.addPrimaryKeyConstraint('recovery_codes_primary', ['account_id', 'hash'])
		.execute();
}
