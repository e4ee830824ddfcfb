// Agents that are silent for too long: their leases end, and their boards go offline.
import type { Kysely } from 'kysely';
import { setCapabilities } from '../../boards/status.ts';
import type { LeaseRow, Schema } from '../../database/schema.ts';
import type { Parts } from '../../parts.ts';
import { announceLease } from '../changes.ts';
import { endLease } from './end.ts';

/** Takes offline the boards of every agent that was not heard from in the time of the setting. */
export async function loseSilentAgents({
	database: { query },
	settings,
	wake,
}: Pick<Parts, 'database' | 'settings' | 'wake'>) {
	const oldest = new Date(Date.now() - settings.agentTimeout * 1000).toISOString();
	const silent = await query
		.selectFrom('agents')
		.select('agents.id')
		.where(({ eb, or }) => or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', oldest)]))
		.where(({ exists, selectFrom }) =>
			exists(
				selectFrom('boards')
					.select('boards.id')
					.whereRef('boards.agent_id', '=', 'agents.id')
					.where('boards.capabilities', 'is not', null),
			),
		)
		.execute();
	for (const { id } of silent) {
		const message = `The agent of the board was silent for ${settings.agentTimeout} seconds.`;
		for (const lease of await loseAgent(query, id, { message, silentSince: oldest })) {
			announceLease(wake, lease);
		}
	}
}

/** Takes the agent's boards offline and ends their leases, unless it was heard from since. */
function loseAgent(
	db: Kysely<Schema>,
	agentId: string,
	{ message, silentSince }: { message: string; silentSince: string },
) {
	return db.transaction().execute(async (db) => {
		const agent = await db
			.updateTable('agents')
			.set({ connection_id: null })
			.where('id', '=', agentId)
			.where(({ eb, or }) =>
				or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', silentSince)]),
			)
			.returning('id')
			.executeTakeFirst();
		if (!agent) return [];
		const ended = await endLeasesOfAgent(db, agentId, message);
		await setCapabilities(db, agentId, { capabilities: null });
		return ended;
	});
}

/** Ends the leases of an agent as lost. Credits are booked until the last contact. */
export async function endLeasesOfAgent(
	db: Kysely<Schema>,
	agentId: string,
	message: string,
): Promise<LeaseRow[]> {
	const held = await db
		.selectFrom('boards')
		.innerJoin('agents', 'agents.id', 'boards.agent_id')
		.select(['boards.lease_id', 'agents.last_seen_at'])
		.where('agent_id', '=', agentId)
		.where('lease_id', 'is not', null)
		.orderBy('boards.id')
		.execute();
	const ended: LeaseRow[] = [];
	for (const { lease_id, last_seen_at } of held) {
		const lease = await endLease(db, lease_id ?? '', ({ created_at }) => ({
			reason: 'agent_lost',
			message,
			usedUntil: last_seen_at ?? created_at,
		}));
		if (lease) ended.push(lease);
	}
	return ended;
}
