// The fence grows with each grant of a board, so that reports about an older lease are rejected.
import type { ExpressionBuilder } from 'kysely';
import { locking } from '../database/locks.ts';
import type { BoardRow, Db, LeaseRow, Schema } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

interface Fenced {
	agentId: string;
	fence: number;
}

/** Locks a live lease that has a board of this agent with this fence. */
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

/** For a query that joins leases and boards. */
export function isFenced({ agentId, fence }: Fenced) {
	return ({ and, eb }: ExpressionBuilder<Schema, 'leases' | 'boards'>) =>
		and([
			eb('leases.status', 'in', ['preparing', 'active']),
			eb('leases.fence', '=', fence),
			eb('boards.fence', '=', fence),
			eb('boards.agent_id', '=', agentId),
		]);
}

/** The same for rows of a live lease and its board. */
export function hasFence(lease: LeaseRow, board: BoardRow, { agentId, fence }: Fenced) {
	return lease.fence === fence && board.fence === fence && board.agent_id === agentId;
}

export function fenceOutdated() {
	return new ApiError('fence_outdated', 'This lease no longer has the board.');
}
