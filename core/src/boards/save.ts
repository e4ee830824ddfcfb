// Changes the rows of boards together with the status that follows: lock, load, decide, save.
import type { Selectable, SelectQueryBuilder } from 'kysely';
import { timeIn } from '../database/clock.ts';
import { locking } from '../database/locks.ts';
import { saveRows } from '../database/rows.ts';
import type { BoardRow, Db, Schema } from '../database/schema.ts';
import { withStatus } from './status.ts';

type Boards = SelectQueryBuilder<Schema, 'boards', object>;

/** Reads boards, and makes others who want to change them wait for this transaction. All lock them in one order. */
export function lockBoards(db: Db, which: (boards: Boards) => Boards): Promise<BoardRow[]> {
	return which(db.selectFrom('boards') as Boards)
		.selectAll()
		.orderBy('id')
		.$call(locking(db, 'boards'))
		.execute() as Promise<Selectable<Schema['boards']>[]>;
}

/** Changes boards that are locked, and returns them as they are then. */
export async function saveBoards(
	db: Db,
	before: readonly BoardRow[],
	change: (board: BoardRow) => BoardRow,
) {
	const now = timeIn(db);
	const after = before.map((board) => withStatus(change(board), now));
	await saveRows(db, 'boards', { before, after });
	return after;
}

/** Locks boards and changes them. Needs a transaction. */
export async function changeBoards(
	db: Db,
	which: (boards: Boards) => Boards,
	change: (board: BoardRow) => BoardRow,
) {
	return saveBoards(db, await lockBoards(db, which), change);
}

export const ofAgent = (agentId: string) => (boards: Boards) =>
	boards.where('agent_id', '=', agentId);

export const withIds = (ids: readonly string[]) => (boards: Boards) =>
	boards.where('id', 'in', ids);
