import { type Kysely, sql } from 'kysely';

export async function createAgents(db: Kysely<unknown>) {
	await db.schema
		.createTable('agents')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('name', 'text', (column) => column.notNull())
		.addColumn('hash', 'text', (column) => column.notNull().unique())
		.addColumn('hint', 'text', (column) => column.notNull())
		.addColumn('boot_id', 'text')
		.addColumn('connection_id', 'text')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('last_seen_at', 'text')
		.addColumn('revoked_at', 'text')
		.execute();
	const numbers = ['credits_per_minute', 'fence', 'failed_preparations'];
	for (const name of numbers) {
		await db.schema
			.alterTable('boards')
			.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
			.execute();
	}
	await db.schema
		.alterTable('boards')
		.addColumn('base_status', 'text', (column) => column.notNull().defaultTo('available'))
		.execute();
	await db.schema
		.alterTable('boards')
		.addColumn('status_reason', 'text', (column) => column.notNull().defaultTo(''))
		.execute();
	for (const name of ['capabilities', 'agent_id', 'lease_id', 'lease_account_id']) {
		await db.schema.alterTable('boards').addColumn(name, 'text').execute();
	}
	await sql`update boards set base_status = status`.execute(db);
	await db.schema.createIndex('boards_agent').on('boards').column('agent_id').execute();
	await db.schema
		.createIndex('boards_grant')
		.on('boards')
		.columns(['board_type', 'status', 'credits_per_minute', 'id'])
		.execute();
}
