// The boards of an agent that fails or restarts often rest: they are not granted for a while. Leases on them go on.
import { timeIn } from '../database/clock.ts';
import type { BoardRow, Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { changeBoards, ofAgent } from './save.ts';

interface Rest {
	milliseconds: number;
	reason: string;
}

export function resting(db: Db, { milliseconds, reason }: Rest) {
	return {
		resting_until: timeIn(db, milliseconds),
		rest_reason: reason.slice(0, 500),
	} satisfies Partial<BoardRow>;
}

export async function restBoards(db: Db, agentId: string, rest: Rest) {
	await inTransaction(db, (db) =>
		changeBoards(db, ofAgent(agentId), (board) => ({ ...board, ...resting(db, rest) })),
	);
}

export async function endRests(db: Db) {
	const rested = { resting_until: null, rest_reason: null };
	await inTransaction(db, (db) =>
		changeBoards(
			db,
			(boards) => boards.where('resting_until', '<=', timeIn(db)),
			(board) => ({ ...board, ...rested }),
		),
	);
}
