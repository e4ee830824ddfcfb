// Revoking an agent: its token stops working, and the leases of its boards end.
import type { Database } from '../database/database.ts';
import type { Wake } from '../database/wake.ts';
import { now } from '../database/time.ts';
import { agentChange } from './changes.ts';
import { disconnectBoards } from './connection.ts';
import { findAgent, markRevoked } from './store.ts';

/** Revokes an agent once; a second time returns the same record. */
export async function revokeAgent(
	{ database, wake }: { database: Database; wake: Pick<Wake, 'tell'> },
	id: string,
) {
	const agent = await database.query.transaction().execute(async (db) => {
		const revoked = await markRevoked(db, id);
		const loss = { message: 'The agent of the board was revoked.', until: now() };
		if (revoked) await disconnectBoards(db, id, loss);
		return findAgent(db, id);
	});
	wake.tell(agentChange(id));
	return agent;
}
