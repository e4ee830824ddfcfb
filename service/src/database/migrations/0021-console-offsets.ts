import type { Kysely } from 'kysely';

export async function addConsoleOffsets(db: Kysely<unknown>) {
	await db.schema.alterTable('lease_actions').addColumn('console_offset', 'bigint').execute();
}
