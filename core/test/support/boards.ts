// Boards of one type, and an agent that drives them as far as the tables say.
import { randomBytes } from 'node:crypto';
import type { BoardInput } from '../../src/boards/import.ts';
import { changeBoards, withIds } from '../../src/boards/save.ts';
import { timeIn } from '../../src/database/clock.ts';
import type { Db } from '../../src/database/schema.ts';
import { inTransaction } from '../../src/database/transactions.ts';

/** The names of boards of a type, from `brd_uno_1` on. */
export function unoBoards(count: number, more: Partial<BoardInput> = {}): BoardInput[] {
	return Array.from({ length: count }, (_, index) => ({
		id: `brd_uno_${index + 1}`,
		name: `uno-${index + 1}`,
		board_type: 'uno',
		status: 'available',
		description: '',
		tags: {},
		...more,
	}));
}

/** Gives boards the status that follows from rows that a test has written. */
export function refreshBoards(db: Db, ids: readonly string[]) {
	return inTransaction(db, (db) => changeBoards(db, withIds(ids), (board) => board));
}

/** An agent that is connected and drives these boards, as far as the tables say. */
export async function addAgent(
	db: Db,
	boardIds: string[],
	actions: string[] = [],
	between_leases = 'keep',
) {
	const id = `agt_${randomBytes(12).toString('hex')}`;
	await db
		.insertInto('agents')
		.values({
			id,
			name: 'lab',
			hash: id,
			hint: 'agt_',
			boot_id: 'first',
			booted_at: timeIn(db),
			connection_id: 'first',
			created_at: timeIn(db),
			last_seen_at: timeIn(db),
			revoked_at: null,
		})
		.execute();
	const connect = async () => {
		await db
			.updateTable('boards')
			.set({
				agent_id: id,
				capabilities: JSON.stringify({ actions, console: false, between_leases }),
			})
			.where('id', 'in', boardIds)
			.execute();
		await refreshBoards(db, boardIds);
	};
	const contact = () =>
		db
			.updateTable('agents')
			.set({ last_seen_at: timeIn(db) })
			.where('id', '=', id)
			.execute();
	await connect();
	return { id, contact, connect };
}
