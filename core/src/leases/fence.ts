// The fence grows with each grant of a board, so that reports about an older lease are rejected.
import type { ExpressionBuilder } from 'kysely';
import { locking } from '../database/locks.ts';
import type { BoardRow, Db, LeaseRow, Schema } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

export interface Fenced {
	agentId: string;
	fence: number;
}

/** What an agent reports about a lease. */
export interface FencedReport extends Fenced {
	leaseId: string;
}

/** Locks a live lease that has a board of this agent with this fence. */
export function checkFence(db: Db, report: FencedReport) {
	return fencedLease(db, report)
		.selectAll('leases')
		.$call(locking(db, 'leases'))
		.executeTakeFirstOrThrow(fenceOutdated);
}

/** A query for the lease, if the agent may report about it. */
export function fencedLease(db: Db, { leaseId, ...fenced }: FencedReport) {
	return db
		.selectFrom('leases')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.where('leases.id', '=', leaseId)
		.where(isFenced(fenced));
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
