import type { Kysely } from 'kysely';

export async function createActivity(db: Kysely<unknown>) {
	await db.schema
		.createTable('activity')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('kind', 'text', (column) => column.notNull())
		.addColumn('account_id', 'text')
		.addColumn('actor_id', 'text')
		.addColumn('via', 'text', (column) => column.notNull())
		.addColumn('api_key_id', 'text')
		.addColumn('session_id', 'text')
		.addColumn('address', 'text')
		.addColumn('subject_id', 'text')
		.addColumn('details', 'text', (column) => column.notNull())
		.addColumn('repeat_key', 'text', (column) => column.unique())
		.addColumn('count', 'integer', (column) => column.notNull())
		.addColumn('last_at', 'text', (column) => column.notNull())
		.execute();
	// One for each way to read it, newest first; entries have no foreign keys, to outlive accounts.
	for (const filter of [[], ['account_id'], ['actor_id'], ['kind']]) {
		await db.schema
			.createIndex(['activity', ...filter, 'newest'].join('_'))
			.on('activity')
			.columns([...filter, 'created_at', 'id'])
			.execute();
	}
}
