import type { Kysely } from 'kysely';

export async function allowDeletion(db: Kysely<unknown>) {
	await db.schema.alterTable('accounts').addColumn('deleted_at', 'text').execute();
}
