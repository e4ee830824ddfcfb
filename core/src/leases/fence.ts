// The fence grows with each lease of a board and each board of a lease: what an agent sends of an older one is rejected.
import type { ExpressionBuilder } from 'kysely';
import { locking } from '../database/locks.ts';
import type { BoardRow, Db, LeaseRow, Schema } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

interface Fenced {
	agentId: string;
	fence: number;
}

/** The lease, locked, if it is live and has a board of this agent under this fence. */
export async function checkFence(
	db: Db,
	{ leaseId, ...fenced }: Fenced & { leaseId: string },
): Promise<LeaseRow> {
	const lease = await db
		.selectFrom('leases')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.selectAll('leases')
		.where('leases.id', '=', leaseId)
		.where(isFenced(fenced))
		.$call(locking(db, 'leases'))
		.executeTakeFirst();
	if (!lease) throw fenceOutdated();
	return lease;
}

/** Whether a lease that is joined with its board is live, and both are under the fence of the agent. */
export function isFenced({ agentId, fence }: Fenced) {
	return ({ and, eb }: ExpressionBuilder<Schema, 'leases' | 'boards'>) =>
		and([
			eb('leases.status', 'in', ['preparing', 'active']),
			eb('leases.fence', '=', fence),
			eb('boards.fence', '=', fence),
			eb('boards.agent_id', '=', agentId),
		]);
}

/** The same of rows that were read, if the lease is live. */
export function hasFence(lease: LeaseRow, board: BoardRow, { agentId, fence }: Fenced) {
	return lease.fence === fence && board.fence === fence && board.agent_id === agentId;
}

export function fenceOutdated() {
	return new ApiError('fence_outdated', 'This lease no longer has the board.');
}
