import { type Kysely, sql } from 'kysely';

export async function extendSessions(db: Kysely<unknown>) {
	for (const name of ['last_used_at', 'confirmed_at']) {
		await db.schema
			.alterTable('sessions')
			.addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
			.execute();
	}
	await sql`update sessions set last_used_at = created_at, confirmed_at = created_at`.execute(db);
}
