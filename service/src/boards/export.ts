// Boards as a file has them: with the status that was set for them, not with that of the moment,
// so that importing an export changes nothing.
import type { Kysely } from 'kysely';
import type { BoardRow, Schema } from '../database/schema.ts';

export async function exportBoards(db: Kysely<Schema>) {
	const rows = await db
		.selectFrom('boards')
		.select([
			'id',
			'name',
			'board_type',
			'base_status as status',
			'status_reason',
			'description',
			'credits_per_minute',
			'tags',
			'created_at',
			'updated_at',
		])
		.orderBy('name')
		.orderBy('id')
		.execute();
	return rows.map(exportedBoard);
}

type ExportedRow = Pick<
	BoardRow,
	| 'id'
	| 'name'
	| 'board_type'
	| 'status'
	| 'status_reason'
	| 'description'
	| 'credits_per_minute'
	| 'tags'
	| 'created_at'
	| 'updated_at'
>;

function exportedBoard(row: ExportedRow) {
	return {
		...row,
		status_reason: row.status === 'maintenance' ? row.status_reason : '',
		// Written by this service, as a JSON object of strings.
		tags: JSON.parse(row.tags) as Record<string, string>,
	};
}

export type ExportedBoard = ReturnType<typeof exportedBoard>;
