import type { Kysely } from 'kysely';

export async function createBoards(db: Kysely<unknown>) {
	await db.schema
		.createTable('boards')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('name', 'text', (column) => column.notNull())
		.addColumn('board_type', 'text', (column) => column.notNull())
		.addColumn('status', 'text', (column) => column.notNull())
		.addColumn('description', 'text', (column) => column.notNull())
		.addColumn('tags', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('updated_at', 'text', (column) => column.notNull())
		.execute();
	for (const filter of [[], ['board_type'], ['status'], ['board_type', 'status']]) {
		await db.schema
			.createIndex(['boards', ...filter, 'name'].join('_'))
			.on('boards')
			.columns([...filter, 'name', 'id'])
			.execute();
	}
}
