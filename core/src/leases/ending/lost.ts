// Agents that are silent for too long, or are gone: first their boards go offline, then the leases on them are lost.
import { sql } from 'kysely';
import { changeBoards, ofAgent } from '../../boards/save.ts';
import type { Core } from '../../core.ts';
import { timestamp } from '../../database/clock.ts';
import type { BoardRow, Db } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { changeAccount } from '../change.ts';
import type { Changing } from '../events.ts';
import { lose } from '../rules/lifecycle.ts';

/** An agent connects again after half of the setting, so that much is no silence yet. */
const limitFactor = 1_500;

/** Loses every agent that was not heard from in the time of the setting. */
export async function loseSilentAgents(needs: Changing & Pick<Core, 'settings'>, time: number) {
	const { database, settings } = needs;
	const silentSince = timestamp(time - settings.agentTimeout * limitFactor);
	const message = `The agent of the board was silent for more than ${settings.agentTimeout} seconds.`;
	for (const id of await silentAgents(database.query, silentSince)) {
		const boards = await inTransaction(database.query, async (db) =>
			(await disconnectSilent(db, id, silentSince)) ? shutBoards(db, id) : [],
		);
		await loseLeases(needs, boards, message);
	}
}

/** Those that have something to lose. */
async function silentAgents(db: Db, silentSince: string) {
	const silent = await db
		.selectFrom('agents')
		.select('agents.id')
		.where(({ eb, or }) =>
			or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', silentSince)]),
		)
		// Of each silent agent by itself, in an index: a join reads every board.
		.where(({ or }) =>
			or([
				sql<boolean>`(select 1 from boards
					where agent_id = agents.id and capabilities is not null limit 1) = 1`,
				sql<boolean>`(select 1 from boards
					where agent_id = agents.id and lease_id is not null limit 1) = 1`,
			]),
		)
		.execute();
	return silent.map(({ id }) => id);
}

/** Whether it is still silent. */
async function disconnectSilent(db: Db, agentId: string, silentSince: string) {
	const agent = await db
		.updateTable('agents')
		.set({ connection_id: null })
		.where('id', '=', agentId)
		.where(({ eb, or }) =>
			or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', silentSince)]),
		)
		.returning('id')
		.executeTakeFirst();
	return agent !== undefined;
}

/** Takes all boards of an agent offline, and returns them as they are then. Nothing is granted on them from now on. */
export function shutBoards(db: Db, agentId: string) {
	return changeBoards(db, ofAgent(agentId), (board) => ({ ...board, capabilities: null }));
}

type Lost = Pick<BoardRow, 'id' | 'fence' | 'lease_id' | 'lease_account_id' | 'agent_id'> & {
	/** Why, if not for the reason of all. */
	message?: string;
	/** Until when the lease is paid for, if not until its agent was heard last. */
	lastContact?: string | null;
};

/** Loses the leases that these boards still have, each in a transaction of its own. */
export async function loseLeases(needs: Changing, boards: readonly Lost[], message = '') {
	const { query } = needs.database;
	for (const { id: boardId, fence, lease_id: leaseId, lease_account_id, ...board } of boards) {
		if (leaseId === null || lease_account_id === null) continue;
		const lastContact = board.lastContact ?? (await lastContactOf(query, board.agent_id));
		const loss = { boardId, fence, message: board.message ?? message, lastContact };
		await changeAccount(needs, {
			accountId: lease_account_id,
			leaseIds: [leaseId],
			decide: (state) => lose(state, leaseId, loss),
		});
	}
}

async function lastContactOf(db: Db, agentId: string | null) {
	const agents = db
		.selectFrom('agents')
		.select('last_seen_at')
		.where('id', '=', agentId ?? '');
	return (await agents.executeTakeFirst())?.last_seen_at ?? null;
}
