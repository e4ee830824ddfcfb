// Revokes agents.
import { record } from '../activity/record.ts';
import { findAgent } from '../agents/store.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import { inTransaction } from '../database/transactions.ts';
import { agentChange } from '../leases/changes.ts';
import { loseLeases, shutBoards } from '../leases/ending/lost.ts';
import type { Changing } from '../leases/events.ts';

/** Revokes an agent once: its token stops working, and the leases of its boards end. */
export async function revokeAgent(needs: Changing & Pick<Core, 'wake'>, id: string) {
	const boards = await inTransaction(needs.database.query, async (db) => {
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
		// Again, in case that leases were left the first time.
		return shutBoards(db, id, (await agent.executeTakeFirst())?.last_seen_at ?? null);
	});
	await loseLeases(needs, boards, 'The agent of the board was revoked.');
	needs.wake.announce(agentChange(id));
	return findAgent(needs.database.query, id);
}
