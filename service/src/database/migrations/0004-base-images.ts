import type { Kysely } from 'kysely';

export async function createBaseImages(db: Kysely<unknown>) {
	await db.schema
		.createTable('base_images')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('action', 'text', (column) => column.notNull())
		.addColumn('board_type', 'text', (column) => column.notNull())
		.addColumn('name', 'text', (column) => column.notNull())
		.addColumn('description', 'text', (column) => column.notNull())
		.addColumn('url', 'text', (column) => column.notNull())
		.addColumn('flash_offset', 'text', (column) => column.notNull())
		.addColumn('position', 'integer', (column) => column.notNull())
		.addColumn('enabled', 'integer', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createIndex('base_images_order')
		.on('base_images')
		.columns(['board_type', 'position', 'created_at', 'id'])
		.execute();
}
