import type { Kysely } from 'kysely';

export async function createImageDownloads(db: Kysely<unknown>) {
	await db.schema
		.createTable('image_downloads')
		.addColumn('url', 'text', (column) => column.primaryKey())
		.addColumn('replica', 'text', (column) => column.notNull())
		.addColumn('expires_at', 'text', (column) => column.notNull())
		.execute();
}
