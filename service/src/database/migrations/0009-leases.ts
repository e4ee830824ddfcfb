import { type Kysely, sql } from 'kysely';

export async function createLeases(db: Kysely<unknown>) {
	await db.schema
		.createTable('leases')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('api_key_id', 'text')
		.addColumn('board_type', 'text', (column) => column.notNull())
		.addColumn('wanted_board_id', 'text')
		.addColumn('board_id', 'text')
		.addColumn('label', 'text')
		.addColumn('status', 'text', (column) => column.notNull())
		.addColumn('minutes', 'integer', (column) => column.notNull())
		.addColumn('fence', 'integer')
		.addColumn('credits_per_minute', 'integer', (column) => column.notNull())
		.addColumn('held_credits', 'integer', (column) => column.notNull())
		.addColumn('credits', 'integer')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('queued_until', 'text', (column) => column.notNull())
		.addColumn('granted_at', 'text')
		.addColumn('started_at', 'text')
		.addColumn('expires_at', 'text')
		.addColumn('ended_at', 'text')
		.addColumn('end_reason', 'text')
		.addColumn('end_message', 'text')
		.addColumn('console_start', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('console_end', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('input_start', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('input_end', 'bigint', (column) => column.notNull().defaultTo(0))
		.execute();
	// A board is never held by two leases, even if the code has a bug.
	await sql`create unique index leases_board on leases (board_id) where status in ('preparing', 'active')`.execute(
		db,
	);
	await sql`create index leases_live on leases (account_id, status) where status <> 'ended'`.execute(
		db,
	);
	await db.schema
		.createIndex('leases_newest')
		.on('leases')
		.columns(['account_id', 'created_at', 'id'])
		.execute();
	await db.schema
		.createTable('lease_actions')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('lease_id', 'text', (column) => column.notNull().references('leases.id'))
		.addColumn('position', 'integer', (column) => column.notNull())
		.addColumn('phase', 'text', (column) => column.notNull())
		.addColumn('action', 'text', (column) => column.notNull())
		.addColumn('name', 'text')
		.addColumn('url', 'text')
		.addColumn('file_id', 'text')
		.addColumn('flash_offset', 'text')
		.addColumn('status', 'text', (column) => column.notNull())
		.addColumn('message', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('ended_at', 'text')
		.addUniqueConstraint('lease_actions_order', ['lease_id', 'position'])
		.execute();
}
