import { type Kysely, sql } from 'kysely';

export async function limitApiKeys(db: Kysely<unknown>) {
	await db.schema
		.alterTable('api_keys')
		.addColumn('scope', 'text', (column) => column.notNull().defaultTo('full'))
		.execute();
	await db.schema.alterTable('api_keys').addColumn('created_by', 'text').execute();
	await db.schema.alterTable('api_keys').addColumn('expires_at', 'text').execute();
	// A list of live keys costs the same however many were revoked.
	await sql`create index api_keys_live on api_keys (account_id, created_at, id) where revoked_at is null`.execute(
		db,
	);
	await sql`create index api_keys_created_by on api_keys (created_by) where created_by is not null`.execute(
		db,
	);
}
