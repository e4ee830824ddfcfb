// Revoking an agent: its token stops working, and the leases of its boards end.
import type { Database } from '../database/database.ts';
import type { Wake } from '../database/wake.ts';
import { agentChange, announceLease } from '../leases/changes.ts';
import { disconnectBoards } from '../leases/ending/lost.ts';
import { findAgent, markRevoked } from './store.ts';

/** Revokes an agent once; a second time returns the same record. */
export async function revokeAgent(
	{ database, wake }: { database: Database; wake: Wake },
	id: string,
) {
	const { record, ended } = await database.query.transaction().execute(async (db) => {
		const revoked = await markRevoked(db, id);
		const ended = revoked
			? await disconnectBoards(db, id, 'The agent of the board was revoked.')
			: [];
		return { record: await findAgent(db, id), ended };
	});
	wake.announce(agentChange(id));
	for (const lease of ended) announceLease(wake, lease);
	return record;
}
