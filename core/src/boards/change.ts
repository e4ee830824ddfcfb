// Stores what an administrator says of a board, one at a time.
import { type boardInput, boardUpdate, type maintenanceInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import type { BoardRow, Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { newId } from '../identifier.ts';
import { lockBoards, saveBoards, withIds } from './save.ts';
import { boardInUse, boardRecord, noSuchBoard, recordColumns } from './store.ts';
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
export function columnsOf({ credits_per_minute = 0, ...board }: NewBoard) {
	const { status, tags, ...fields } = boardFields({ ...board, credits_per_minute });
	return {
		...fields,
		id: board.id,
		...searchColumns(board),
		base_status: status,
		tags: JSON.stringify(tags),
	};
}

/** Only what an administrator says of a board: an imported one has other fields, too. */
function boardFields<Board extends z.output<typeof boardInput>>(board: Board) {
	const given = Object.entries(board).filter(([name]) => Object.hasOwn(boardUpdate.shape, name));
	return Object.fromEntries(given) as z.output<typeof boardInput>; // the update has the fields of the input
}

export function storeUpdate(db: Db, id: string, update: BoardUpdate) {
	return inTransaction(db, async (db) => {
		const { tags, status, ...fields } = update;
		const board = await lockBoard(db, id);
		const given = Object.entries(fields).filter(([, value]) => value !== undefined);
		const changed: BoardRow = {
			...board,
			...Object.fromEntries(given),
			...(tags && { tags: JSON.stringify(tags) }),
			...(status && { base_status: status }),
			...(status && status !== 'maintenance' && { status_reason: '', failed_preparations: 0 }),
			updated_at: timeIn(db),
		};
		const words = searchColumns({ ...changed, tags: tags ?? JSON.parse(board.tags) });
		const details = { fields: Object.keys(update) };
		await record(db, { kind: 'board.changed', subjectId: id, details });
		return saveBoards(db, [board], () => ({ ...changed, ...words }));
	});
}

export function storeMaintenance(db: Db, id: string, change: z.output<typeof maintenanceInput>) {
	const { on, reason } = change;
	return inTransaction(db, async (db) => {
		const board = await lockBoard(db, id);
		// A board that is not in maintenance keeps the status that was set for it.
		if (!on && board.base_status !== 'maintenance') return [board];
		const kind = on ? 'board.maintenance_started' : 'board.maintenance_ended';
		await record(db, { kind, subjectId: id, details: on ? { reason } : {} });
		return saveBoards(db, [board], () => ({
			...board,
			base_status: on ? 'maintenance' : 'available',
			status_reason: on ? reason : '',
			failed_preparations: 0,
			updated_at: timeIn(db),
		}));
	});
}

/** Past leases of the board are kept. */
export function deleteBoard(db: Db, id: string) {
	return inTransaction(db, async (db) => {
		const { lease_id, name, board_type, agent_id: agentId } = await lockBoard(db, id);
		if (lease_id !== null) throw boardInUse(id);
		const board = db.deleteFrom('boards').where('id', '=', id).returning(recordColumns);
		await record(db, { kind: 'board.retired', subjectId: id, details: { name, board_type } });
		return { board: boardRecord(await board.executeTakeFirstOrThrow()), agentId };
	});
}

async function lockBoard(db: Db, id: string) {
	const [board] = await lockBoards(db, withIds([id]));
	if (!board) throw noSuchBoard();
	return board;
}
