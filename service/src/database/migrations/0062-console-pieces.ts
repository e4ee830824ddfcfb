import type { Kysely } from 'kysely';

export async function nameConsolePieces(db: Kysely<unknown>) {
	// Tells the same input of two writers apart.
	await db.schema.alterTable('console_chunks').addColumn('piece', 'text').execute();
}
