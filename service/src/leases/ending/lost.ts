// Agents that are silent for too long: their leases end, and their boards go offline.
import { sql } from 'kysely';
import { setCapabilities } from '../../boards/status.ts';
import { timestamp } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { recordFailure } from '../../operations/failures.ts';
import type { Parts } from '../../parts.ts';
import { announceLease } from '../changes.ts';
import { lockHolders, lockLease } from '../holder.ts';
import { requeueLease } from '../queue/grant.ts';
import { endLease } from './end.ts';

/** An agent connects again after half of the setting, so that much is no silence yet. */
const limitFactor = 1_500;

/** How long a lease whose agent was lost during the preparation waits for another board at least. */
const patience = 60_000;

/** Takes offline the boards of every agent that was not heard from in the time of the setting. */
export async function loseSilentAgents(
	{ database: { query }, settings, wake }: Parts,
	time: number,
) {
	const oldest = timestamp(time - settings.agentTimeout * limitFactor);
	const silent = await query
		.selectFrom('agents')
		.select('agents.id')
		.where(({ eb, or }) => or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', oldest)]))
		// Of each silent agent by itself, in an index: a join reads every board.
		.where(sql<boolean>`(select 1 from boards
			where agent_id = agents.id and capabilities is not null limit 1) = 1`)
		.execute();
	for (const { id } of silent) {
		const message = `The agent of the board was silent for more than ${settings.agentTimeout} seconds.`;
		for (const lease of await loseAgent(query, id, { message, silentSince: oldest })) {
			announceLease(wake, lease);
		}
	}
}

/** Takes the agent's boards offline and ends their leases, unless it was heard from since. */
function loseAgent(
	db: Db,
	agentId: string,
	{ message, silentSince }: { message: string; silentSince: string },
) {
	return inTransaction(db, async (db) => {
		const agent = await db
			.updateTable('agents')
			.set({ connection_id: null })
			.where('id', '=', agentId)
			.where(({ eb, or }) =>
				or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', silentSince)]),
			)
			.returning('id')
			.executeTakeFirst();
		return agent ? disconnectBoards(db, agentId, message) : [];
	});
}

/** Takes the agent's boards offline, and loses every lease on them. */
export async function disconnectBoards(db: Db, agentId: string, message: string) {
	const lost = await loseLeasesOfAgent(db, agentId, message);
	await setCapabilities(db, agentId, { capabilities: null });
	// Others may have been granted until the boards were offline.
	return [...lost, ...(await loseLeasesOfAgent(db, agentId, message))];
}

export async function loseLeasesOfAgent(
	db: Db,
	agentId: string,
	message: string,
): Promise<LeaseRow[]> {
	const held = await db
		.selectFrom('boards')
		.innerJoin('agents', 'agents.id', 'boards.agent_id')
		.select(['boards.id', 'boards.lease_id', 'boards.fence', 'agents.last_seen_at as lastContact'])
		.where('agent_id', '=', agentId)
		.where('lease_id', 'is not', null)
		.orderBy('boards.id')
		.execute();
	return loseLeases(
		db,
		held.map((board) => ({ ...board, message })),
	);
}

export interface Unserved {
	/** The board, and its fence, when it was read. */
	id: string;
	fence: number;
	lease_id: string | null;
	message: string;
	/** Until when the lease is paid for. */
	lastContact: string | null;
}

/** Loses the leases of these boards that still have them. */
export async function loseLeases(db: Db, boards: readonly Unserved[]) {
	await lockHolders(
		db,
		boards.map(({ lease_id }) => lease_id),
	);
	const lost: LeaseRow[] = [];
	for (const board of boards) {
		const lease = await loseLease(db, board);
		if (lease) lost.push(lease);
	}
	return lost;
}

/**
 * A lease whose board its agent does not serve: it ends, with credits booked until the last contact. One
 * that was still being prepared goes back to the queue with its age.
 */
async function loseLease(db: Db, { id, fence, lease_id, message, lastContact }: Unserved) {
	const lease = lease_id === null ? undefined : await lockLease(db, lease_id);
	// In the meantime, it may have got another board, or wait for one.
	if (lease?.board_id !== id || lease.fence !== fence) return undefined;
	if (lease.status !== 'ended') await recordFailure(db, lease, 'agent_lost');
	if (lease.status === 'preparing') return requeueLease(db, lease, patience);
	return endLease(db, lease.id, ({ created_at }) => ({
		reason: 'agent_lost',
		message,
		usedUntil: lastContact ?? created_at,
	}));
}
