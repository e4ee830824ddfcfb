import type { Kysely } from 'kysely';

export async function addLastUsedAddress(db: Kysely<unknown>) {
	await db.schema.alterTable('api_keys').addColumn('last_used_address', 'text').execute();
}
