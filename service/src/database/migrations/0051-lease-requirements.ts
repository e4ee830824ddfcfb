import { type Kysely, sql } from 'kysely';

export async function addLeaseRequirements(db: Kysely<unknown>) {
	await db.schema
		.alterTable('leases')
		.addColumn('requires_agent', 'integer', (column) => column.notNull().defaultTo(0))
		.execute();
	// The order in which free boards are granted, now with an agent before others.
	await db.schema.dropIndex('boards_grant').execute();
	await sql`create index boards_grant on boards
		(board_type, status, credits_per_minute, (agent_id is null), id)`.execute(db);
}
