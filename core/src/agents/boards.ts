// The boards of agents.
import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { lockBoards, saveBoards, withIds } from '../boards/save.ts';
import { boardInUse } from '../boards/store.ts';
import type { BoardRow, Db, Schema } from '../database/schema.ts';
import { invalid } from '../validation.ts';

export async function boardsOf(db: Db, agentId: string) {
	const rows = await db
		.selectFrom('boards')
		.select('id')
		.where('agent_id', '=', agentId)
		.orderBy('id')
		.execute();
	return rows.map(({ id }) => id);
}

/** Assigns exactly these boards to the agent. A leased board keeps its agent. */
export async function assignBoards(db: Db, agentId: string, boardIds: readonly string[]) {
	const before = await boardsOf(db, agentId);
	const added = boardIds.filter((id) => !before.includes(id));
	const removed = before.filter((id) => !boardIds.includes(id));
	const moved = [...added, ...removed];
	if (moved.length === 0) return;
	// A removed board may belong to another agent by now.
	const boards = (await lockBoards(db, withIds(moved))).filter(
		({ id, agent_id }) => added.includes(id) || agent_id === agentId,
	);
	requireFree(boards, added);
	await saveBoards(db, boards, (board) => ({
		...board,
		agent_id: added.includes(board.id) ? agentId : null,
		capabilities: null,
	}));
	// Ends the connection, so that the agent connects again and says what it can do with its boards.
	await db
		.updateTable('agents')
		.set({ connection_id: randomUUID() })
		.where('id', '=', agentId)
		.where('connection_id', 'is not', null)
		.execute();
}

export type AgentBoard = Awaited<ReturnType<typeof boardStates>>[number];

export function boardStates(db: Db, agentId: string) {
	return db
		.selectFrom('boards')
		.select(['id', 'capabilities', 'fence', 'lease_id'])
		.select((eb) => [
			ofLease(eb).select('console_end').as('output'),
			ofLease(eb).select('input_end').as('input'),
			ofLease(eb).select('input_taken').as('taken'),
			ofLease(eb).select('console_change').as('console_change'),
		])
		.where('agent_id', '=', agentId)
		.orderBy('id')
		.execute();
}

/** A subquery, because for a join, PostgreSQL reads all leases. */
export function ofLease(eb: ExpressionBuilder<Schema, 'boards'>) {
	return eb.selectFrom('leases').whereRef('leases.id', '=', 'boards.lease_id');
}

export function pinsOfLease(eb: ExpressionBuilder<Schema, 'boards'>) {
	return eb
		.selectFrom('lease_pins')
		.whereRef('lease_pins.lease_id', '=', 'boards.lease_id')
		.whereRef('lease_pins.fence', '=', 'boards.fence');
}

/** Rejects boards that do not exist or are in a lease. */
function requireFree(boards: readonly BoardRow[], added: readonly string[]) {
	const missing = added.filter((id) => !boards.some((board) => board.id === id));
	if (missing.length > 0) {
		const message = `names an unknown board: ${missing.join(', ')}`;
		throw invalid([{ path: 'board_ids', message }]);
	}
	const held = boards.find(({ lease_id }) => lease_id !== null);
	if (held) throw boardInUse(held.id);
}
