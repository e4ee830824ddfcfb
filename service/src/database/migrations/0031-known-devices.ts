import type { Kysely } from 'kysely';

export async function createKnownDevices(db: Kysely<unknown>) {
	await db.schema
		.createTable('known_devices')
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('hash', 'text', (column) => column.notNull())
		.addColumn('last_used_at', 'text', (column) => column.notNull())
		.addPrimaryKeyConstraint('known_devices_primary', ['account_id', 'hash'])
		.execute();
	await db.schema.createIndex('known_devices_hash').on('known_devices').column('hash').execute();
}
