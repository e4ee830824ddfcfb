// The end of agents: one is revoked, or stops.
import { record } from '../activity/record.ts';
import { findAgent } from '../agents/store.ts';
import { agentChange } from '../announcements.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import { inTransaction } from '../database/transactions.ts';
import { loseLeases, shutBoards } from '../leases/ending/lost.ts';

/** The token of the agent stops working, and the leases of its boards end. */
export async function revokeAgent(core: Core, id: string) {
	const boards = await inTransaction(core.database.query, async (db) => {
		const row = await db
			.updateTable('agents')
			.set({ revoked_at: timeIn(db), connection_id: null })
			.where('id', '=', id)
			.where('revoked_at', 'is', null)
			.returning('name')
			.executeTakeFirst();
		if (row)
			await record(db, { kind: 'agent.revoked', subjectId: id, details: { name: row.name } });
		const agent = db.selectFrom('agents').select('last_seen_at').where('id', '=', id);
		// A repeated request also ends leases that the first one has left.
		return shutBoards(db, id, (await agent.executeTakeFirst())?.last_seen_at ?? null);
	});
	await loseLeases(core, boards, 'The agent of the board was revoked.');
	await core.dispatch({ names: [agentChange(id)] });
	return findAgent(core.database.query, id);
}

/**
 * The agent stops: nothing is granted on its boards any more, and their leases are lost. It is still connected, so
 * that no other agent uses the boards before it has cleared them. Its next start is no quick restart.
 */
export async function stopAgent(core: Core, id: string, bootId: string) {
	const boards = await inTransaction(core.database.query, async (db) => {
		const now = timeIn(db);
		const agent = await db
			.updateTable('agents')
			.set({ booted_at: null, last_seen_at: now })
			.where('id', '=', id)
			.where('boot_id', '=', bootId)
			.returning('id')
			.executeTakeFirst();
		return agent ? shutBoards(db, id, now) : [];
	});
	await loseLeases(core, boards, 'The agent of the board was stopped.');
	await core.dispatch({ names: [agentChange(id)] });
}
