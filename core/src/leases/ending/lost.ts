// An agent is lost when it was silent for too long: first its boards go offline, then their leases are lost.
import { sql } from 'kysely';
import { agentTimes } from '../../agents/times.ts';
import { changeBoards, ofAgent } from '../../boards/save.ts';
import type { Core } from '../../core.ts';
import { timestamp } from '../../database/clock.ts';
import type { BoardRow, Db } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { skipFailed, throwForAll } from '../../skip-failed.ts';
import { changeAccount } from '../change.ts';
import { lose } from '../rules/ending.ts';
import type { AccountState } from '../rules/state.ts';

export async function loseSilentAgents(core: Core, time: number) {
	const { database, settings } = core;
	const silentSince = timestamp(time - agentTimes(settings).lost);
	const message = `The agent of the board was silent for more than ${settings.agentTimeout} seconds.`;
	for (const id of await silentAgents(database.query, silentSince)) {
		const boards = await inTransaction(database.query, async (db) => {
			const agent = await disconnectSilent(db, id, silentSince);
			return agent ? shutBoards(db, id, agent.last_seen_at) : [];
		});
		const skip = skipFailed(
			core,
			{ agent: id },
			'The leases of an agent could not be ended; retrying',
		);
		await loseLeases(core, boards, message).catch(skip);
	}
}

/** Silent agents that still have a board online or in a lease. */
async function silentAgents(db: Db, silentSince: string) {
	const silent = await db
		.selectFrom('agents')
		.select('agents.id')
		.where(isSilent(silentSince))
		// A subquery for each agent uses an index; a join would read every board.
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

function isSilent(since: string) {
	return sql<boolean>`(last_seen_at is null or last_seen_at <= ${since})`;
}

/** Returns nothing if the agent was heard meanwhile. */
function disconnectSilent(db: Db, agentId: string, silentSince: string) {
	return db
		.updateTable('agents')
		.set({ connection_id: null })
		.where('id', '=', agentId)
		.where(isSilent(silentSince))
		.returning('last_seen_at')
		.executeTakeFirst();
}

/** Takes all boards of an agent offline, so that none is granted, and returns them. */
export async function shutBoards(db: Db, agentId: string, lastContact: string | null) {
	const boards = await changeBoards(db, ofAgent(agentId), (board) => ({
		...board,
		capabilities: null,
	}));
	return boards.map((board) => ({ ...board, lastContact }));
}

type Lost = Pick<BoardRow, 'id' | 'fence' | 'lease_id' | 'lease_account_id'> & {
	/** By default, the message for all boards. */
	message?: string;
	/** When the agent was heard last: the lease is charged until then. */
	lastContact: string | null;
};

/** Loses the leases of these boards, each in a transaction of its own. If one fails, the others are lost all the same. */
export async function loseLeases(core: Core, boards: readonly Lost[], message = '') {
	const failures: unknown[] = [];
	for (const { id: boardId, fence, lastContact, ...board } of boards) {
		const { lease_id: leaseId, lease_account_id: accountId } = board;
		if (leaseId === null || accountId === null) continue;
		const loss = { boardId, fence, lastContact, message: board.message ?? message };
		const decide = (state: AccountState) => lose(state, leaseId, loss);
		const change = changeAccount(core, { accountId, leaseIds: [leaseId], decide });
		await change.catch((error) => {
			throwForAll(core, error);
			failures.push(error);
		});
	}
	if (failures.length > 0) throw failures[0];
}
