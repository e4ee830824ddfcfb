// Maintenance: no lease is granted on the board until an administrator ends it. A lease that holds
// the board goes on; an administrator can end that too.
import type { maintenanceInput } from 'board-access-contract';
import type { Kysely } from 'kysely';
import type * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import type { Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import { refreshBoards } from './status.ts';
import { noSuchBoard } from './store.ts';

/** Begins or ends the maintenance of a board. */
export function setMaintenance(
	db: Kysely<Schema>,
	id: string,
	{ on, reason }: z.output<typeof maintenanceInput>,
) {
	return db.transaction().execute(async (db) => {
		const { numUpdatedRows } = await db
			.updateTable('boards')
			.set({
				base_status: on ? 'maintenance' : 'available',
				status_reason: on ? reason : '',
				failed_preparations: 0,
				updated_at: now(),
			})
			.where('id', '=', id)
			// A board that is not in maintenance keeps the status that was set for it.
			.$if(!on, (query) => query.where('base_status', '=', 'maintenance'))
			.executeTakeFirst();
		if (numUpdatedRows === 0n) await requireBoard(db, id);
		else await recordMaintenance(db, id, { on, reason });
		await refreshBoards(db, [id]);
	});
}

function recordMaintenance(
	db: Kysely<Schema>,
	id: string,
	{ on, reason }: z.output<typeof maintenanceInput>,
) {
	const kind = on ? 'board.maintenance_started' : 'board.maintenance_ended';
	return record(db, { kind, subjectId: id, details: on ? { reason } : {} });
}

async function requireBoard(db: Kysely<Schema>, id: string) {
	const board = await db.selectFrom('boards').select('id').where('id', '=', id).executeTakeFirst();
	if (!board) throw noSuchBoard();
}
