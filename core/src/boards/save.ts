// Changes boards together with the status that follows from their rows.
import type { Selectable, SelectQueryBuilder } from 'kysely';
import { timeIn } from '../database/clock.ts';
import { locking } from '../database/locks.ts';
import { saveRows } from '../database/rows.ts';
import type { BoardRow, Db, Schema } from '../database/schema.ts';
import { withStatus } from './status.ts';

type Boards = SelectQueryBuilder<Schema, 'boards', object>;

/** Locks and reads boards, in the order of their ids. */
export function lockBoards(db: Db, which: (boards: Boards) => Boards): Promise<BoardRow[]> {
	return which(db.selectFrom('boards') as Boards)
		.selectAll()
		.orderBy('id')
		.$call(locking(db, 'boards'))
		.execute() as Promise<Selectable<Schema['boards']>[]>;
}

/** Changes locked boards, and returns them afterwards. */
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
