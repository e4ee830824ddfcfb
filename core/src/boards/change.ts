// Stores what an administrator says of a board, one at a time.
import type { boardInput, boardUpdate, maintenanceInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import { newId } from '../database/identifier.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { changeBoards, withIds } from './save.ts';
import { baseStatusOf, boardInUse, boardRecord, noSuchBoard, recordColumns } from './store.ts';
import { searchColumns } from './words.ts';

type BoardUpdate = z.output<typeof boardUpdate>;

export function storeBoard(db: Db, input: z.output<typeof boardInput>) {
	return inTransaction(db, async (db) => {
		const created_at = timeIn(db);
		const { status } = input;
		const id = newId('brd');
		const row = await db
			.insertInto('boards')
			.values({ ...columnsOf({ ...input, id }), status, created_at, updated_at: created_at })
			.returning(recordColumns)
			.executeTakeFirstOrThrow();
		const { name, board_type } = input;
		await record(db, { kind: 'board.created', subjectId: id, details: { name, board_type } });
		return boardRecord(row);
	});
}

type NewBoard = Omit<z.output<typeof boardInput>, 'credits_per_minute'> & {
	id: string;
	credits_per_minute?: number | undefined;
};

/** What is stored of a new board, and of one that is imported again. */
export function columnsOf(board: NewBoard) {
	const { id, name, board_type, status, description, tags, credits_per_minute = 0 } = board;
	return {
		id,
		name,
		board_type,
		description,
		credits_per_minute,
		...searchColumns(board),
		base_status: status,
		tags: JSON.stringify(tags),
	};
}

export function storeUpdate(db: Db, id: string, update: BoardUpdate) {
	return inTransaction(db, async (db) => {
		const { tags, status, ...fields } = update;
		const row = await db
			.updateTable('boards')
			.set({
				...fields,
				...(tags && { tags: JSON.stringify(tags) }),
				...(status && { base_status: status }),
				...(status && status !== 'maintenance' && { status_reason: '', failed_preparations: 0 }),
				updated_at: timeIn(db),
			})
			.where('id', '=', id)
			.returning(recordColumns)
			.executeTakeFirstOrThrow(() => noSuchBoard());
		const columns = searchColumns(boardRecord(row));
		await db.updateTable('boards').set(columns).where('id', '=', id).execute();
		const details = { fields: Object.keys(update) };
		await record(db, { kind: 'board.changed', subjectId: id, details });
		return changeBoards(db, withIds([id]));
	});
}

export function storeMaintenance(db: Db, id: string, change: z.output<typeof maintenanceInput>) {
	const { on, reason } = change;
	return inTransaction(db, async (db) => {
		const { numUpdatedRows } = await db
			.updateTable('boards')
			.set({
				base_status: on ? 'maintenance' : 'available',
				status_reason: on ? reason : '',
				failed_preparations: 0,
				updated_at: timeIn(db),
			})
			.where('id', '=', id)
			// A board that is not in maintenance keeps the status that was set for it.
			.$if(!on, (query) => query.where('base_status', '=', 'maintenance'))
			.executeTakeFirst();
		if (numUpdatedRows > 0n) {
			const kind = on ? 'board.maintenance_started' : 'board.maintenance_ended';
			await record(db, { kind, subjectId: id, details: on ? { reason } : {} });
		} else if (!(await boardExists(db, id))) throw noSuchBoard();
		return changeBoards(db, withIds([id]));
	});
}

/** Removes a board that no lease holds. Past leases are kept. */
export async function deleteBoard(db: Db, id: string) {
	const row = await inTransaction(db, async (db) => {
		const row = await db
			.deleteFrom('boards')
			.where('id', '=', id)
			// A grant writes the lease to this row, so one of the two comes first.
			.where('lease_id', 'is', null)
			.returning(recordColumns)
			.executeTakeFirst();
		if (!row) throw (await boardExists(db, id)) ? boardInUse(id) : noSuchBoard();
		const { name, board_type } = row;
		await record(db, { kind: 'board.retired', subjectId: id, details: { name, board_type } });
		return row;
	});
	return { board: boardRecord(row), agentId: row.agent_id };
}

async function boardExists(db: Db, id: string) {
	return (await baseStatusOf(db, id)) !== undefined;
}
