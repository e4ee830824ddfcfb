// The connection of an agent: the newest one counts, on whichever replica it is.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { refreshBoardStatus } from '../boards/status.ts';
import type { Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import { endLease } from '../leases/end.ts';
import { boardsOf, type Capabilities, storeCapabilities } from './boards.ts';

interface Connection {
	agentId: string;
	bootId: string;
	/** The boards that the agent drives, and what it can do with each. */
	driven: ReadonlyMap<string, Capabilities>;
}

/** Takes the place of the connection before, and returns the identifier of this one. */
export async function openConnection(
	db: Kysely<Schema>,
	{ agentId, bootId, driven }: Connection,
): Promise<string> {
	const connectionId = randomUUID();
	await db.transaction().execute(async (transaction) => {
		const before = await transaction
			.selectFrom('agents')
			.select(['boot_id', 'last_seen_at'])
			.where('id', '=', agentId)
			.executeTakeFirstOrThrow();
		if (before.boot_id !== bootId) {
			const lost = { message: 'The agent of the board was restarted.', until: before.last_seen_at };
			await loseLeases(transaction, await boardsOf(transaction, agentId), lost);
		}
		await transaction
			.updateTable('agents')
			.set({ boot_id: bootId, connection_id: connectionId, last_seen_at: now() })
			.where('id', '=', agentId)
			.execute();
		await changeDriven(transaction, agentId, driven);
	});
	return connectionId;
}

/** Whether the connection is still the newest one of an agent that was not revoked. */
export async function isCurrent(db: Kysely<Schema>, agentId: string, connectionId: string) {
	const agent = await db
		.selectFrom('agents')
		.select('connection_id')
		.where('id', '=', agentId)
		.executeTakeFirst();
	return agent?.connection_id === connectionId;
}

/** Ends the leases of the agents that were not heard since a moment, and their boards are offline. */
export async function loseAgents(db: Kysely<Schema>, unheardSince: string) {
	const silent = await db
		.selectFrom('agents')
		.select('id')
		.where('connection_id', 'is not', null)
		.where('last_seen_at', '<', unheardSince)
		.execute();
	const lost: string[] = [];
	for (const { id } of silent) {
		if (await db.transaction().execute((transaction) => loseAgent(transaction, id, unheardSince)))
			lost.push(id);
	}
	return lost;
}

async function loseAgent(db: Kysely<Schema>, agentId: string, unheardSince: string) {
	// Heard in the meantime, or lost on another replica: then there is nothing to do.
	const agent = await db
		.updateTable('agents')
		.set({ connection_id: null })
		.where('id', '=', agentId)
		.where('connection_id', 'is not', null)
		.where('last_seen_at', '<', unheardSince)
		.returning('last_seen_at')
		.executeTakeFirst();
	if (!agent) return false;
	const until = agent.last_seen_at;
	await disconnectBoards(db, agentId, { message: 'The agent of the board is not connected.', until });
	return true;
}

interface Loss {
	message: string;
	/** When the agent was heard last: what a lease costs is counted until then. */
	until: string | null;
}

/** Ends the leases of an agent's boards, which nobody drives any more. */
export async function disconnectBoards(db: Kysely<Schema>, agentId: string, loss: Loss) {
	await loseLeases(db, await boardsOf(db, agentId), loss);
	await changeDriven(db, agentId, new Map());
}

async function changeDriven(
	db: Kysely<Schema>,
	agentId: string,
	driven: ReadonlyMap<string, Capabilities>,
) {
	const changed = await storeCapabilities(db, agentId, driven);
	const gone = changed.filter((board) => !board.driven).map(({ id }) => id);
	await loseLeases(db, gone, { message: 'The agent no longer drives the board.', until: now() });
	await refreshBoardStatus(
		db,
		changed.map(({ id }) => id),
	);
}

async function loseLeases(db: Kysely<Schema>, boardIds: readonly string[], { message, until }: Loss) {
	if (boardIds.length === 0) return;
	const leases = await db
		.selectFrom('leases')
		.select('id')
		.where('board_id', 'in', boardIds)
		.where('status', 'in', ['preparing', 'active'])
		.orderBy('id')
		.execute();
	const ending = { reason: 'agent_lost', message, ...(until !== null && { usedUntil: until }) } as const;
	for (const { id } of leases) await endLease(db, id, () => ending);
}
