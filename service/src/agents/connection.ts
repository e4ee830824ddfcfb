// The connection of an agent: the newest one is used, on any replica.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { onPostgres } from '../database/postgres.ts';
import type { LeaseRow, Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import { endLease } from '../leases/ending/end.ts';
import { endLeasesOfAgent } from '../leases/ending/lost.ts';
import { type Capabilities, updateCapabilities } from './boards.ts';

interface Connection {
	agentId: string;
	bootId: string;
	/** The boards that the agent drives, and what it can do with each. */
	driven: ReadonlyMap<string, Capabilities>;
}

/** Replaces the previous connection, and returns the leases that ended with it. */
export function openConnection(
	db: Kysely<Schema>,
	{ agentId, bootId, driven }: Connection,
): Promise<{ connectionId: string; ended: LeaseRow[] }> {
	const connectionId = randomUUID();
	return db.transaction().execute(async (db) => {
		const { boot_id } = await lockAgent(db, agentId);
		const ended =
			boot_id === bootId
				? []
				: await endLeasesOfAgent(db, agentId, 'The agent of the board was restarted.');
		await db
			.updateTable('agents')
			.set({ boot_id: bootId, connection_id: connectionId, last_seen_at: now() })
			.where('id', '=', agentId)
			.execute();
		return { connectionId, ended: [...ended, ...(await changeDriven(db, agentId, driven))] };
	});
}

/** Makes a second connection of the same agent wait for the first. */
function lockAgent(db: Kysely<Schema>, id: string) {
	return db
		.selectFrom('agents')
		.select('boot_id')
		.where('id', '=', id)
		.where('revoked_at', 'is', null)
		.$if(onPostgres(db), (query) => query.forUpdate())
		.executeTakeFirstOrThrow();
}

/** Ends the leases of an agent's boards, which it no longer drives. */
export async function disconnectBoards(db: Kysely<Schema>, agentId: string, message: string) {
	const ended = await endLeasesOfAgent(db, agentId, message);
	return [...ended, ...(await changeDriven(db, agentId, new Map()))];
}

/** Stores what the agent drives, and ends the leases of boards that it no longer drives. */
async function changeDriven(
	db: Kysely<Schema>,
	agentId: string,
	driven: ReadonlyMap<string, Capabilities>,
) {
	const changed = await updateCapabilities(db, agentId, driven);
	const ended: LeaseRow[] = [];
	for (const { id } of changed.filter((board) => !board.driven)) {
		ended.push(...(await loseBoard(db, id)));
	}
	return ended;
}

async function loseBoard(db: Kysely<Schema>, boardId: string) {
	const lease = await db
		.selectFrom('leases')
		.select('id')
		.where('board_id', '=', boardId)
		.where('status', 'in', ['preparing', 'active'])
		.executeTakeFirst();
	if (!lease) return [];
	const message = 'The agent no longer drives the board.';
	const ended = await endLease(db, lease.id, () => ({ reason: 'agent_lost', message }));
	return ended ? [ended] : [];
}
