// The price that a user accepted, the limit of a preparation, agents that restart often, and boards that rest.
import { type Kysely, sql } from 'kysely';

export async function addLeaseTimes(db: Kysely<unknown>) {
	await db.schema.alterTable('leases').addColumn('most_credits_per_minute', 'integer').execute();
	await db.schema
		.alterTable('leases')
		.addColumn('wait_extensions', 'integer', (column) => column.notNull().defaultTo(0))
		.execute();
	await db.schema.alterTable('leases').addColumn('preparation_expires_at', 'text').execute();
	await db.schema.alterTable('boards').addColumn('resting_until', 'text').execute();
	await db.schema.alterTable('boards').addColumn('rest_reason', 'text').execute();
	await sql`create index boards_resting on boards (resting_until) where resting_until is not null`.execute(
		db,
	);
	await db.schema.alterTable('agents').addColumn('booted_at', 'text').execute();
	await db.schema
		.alterTable('agents')
		.addColumn('quick_boots', 'integer', (column) => column.notNull().defaultTo(0))
		.execute();
}
