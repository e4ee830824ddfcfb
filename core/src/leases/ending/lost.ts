// Agents that are silent for too long, or are gone: first their boards go offline, then the leases on them are lost.
import { sql } from 'kysely';
import { agentTimes } from '../../agents/times.ts';
import { changeBoards, ofAgent } from '../../boards/save.ts';
import type { Core } from '../../core.ts';
import { timestamp } from '../../database/clock.ts';
import type { BoardRow, Db } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { changeAccount } from '../change.ts';
import { lose } from '../rules/ending.ts';

/** Loses every agent that was not heard from in the time of the setting. */
export async function loseSilentAgents(core: Core, time: number) {
	const { database, settings } = core;
	const silentSince = timestamp(time - agentTimes(settings).lost);
	const message = `The agent of the board was silent for more than ${settings.agentTimeout} seconds.`;
	for (const id of await silentAgents(database.query, silentSince)) {
		const boards = await inTransaction(database.query, async (db) => {
			const agent = await disconnectSilent(db, id, silentSince);
			return agent ? shutBoards(db, id, agent.last_seen_at) : [];
		});
		await loseLeases(core, boards, message);
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

/** When it was heard last, if it is still silent. */
function disconnectSilent(db: Db, agentId: string, silentSince: string) {
	return db
		.updateTable('agents')
		.set({ connection_id: null })
		.where('id', '=', agentId)
		.where(({ eb, or }) =>
			or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', silentSince)]),
		)
		.returning('last_seen_at')
		.executeTakeFirst();
}

/** Takes all boards of an agent offline, and returns them as they are then. Nothing is granted on them from now on. */
export async function shutBoards(db: Db, agentId: string, lastContact: string | null) {
	const boards = await changeBoards(db, ofAgent(agentId), (board) => ({
		...board,
		capabilities: null,
	}));
	return boards.map((board) => ({ ...board, lastContact }));
}

type Lost = Pick<BoardRow, 'id' | 'fence' | 'lease_id' | 'lease_account_id'> & {
	/** Why, if not for the reason of all. */
	message?: string;
	/** Until when the lease is paid for: when its agent was heard last. */
	lastContact: string | null;
};

/** Loses the leases that these boards still have, each in a transaction of its own. */
export async function loseLeases(core: Core, boards: readonly Lost[], message = '') {
	for (const { id: boardId, fence, lastContact, ...board } of boards) {
		const { lease_id: leaseId, lease_account_id: accountId } = board;
		if (leaseId === null || accountId === null) continue;
		const loss = { boardId, fence, lastContact, message: board.message ?? message };
		await changeAccount(core, {
			accountId,
			leaseIds: [leaseId],
			decide: (state) => lose(state, leaseId, loss),
		});
	}
}
