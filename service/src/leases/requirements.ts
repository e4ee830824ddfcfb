// What a lease must have for what is asked of it.
import type { Kysely } from 'kysely';
import type { Capabilities } from '../agents/boards.ts';
import type { LeaseRow, Schema } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { leaseEnded } from './refusals.ts';

/** Refuses what needs the board while the lease does not have it. */
export function requireActive(lease: LeaseRow) {
	if (lease.status === 'active') return;
	if (lease.status === 'ended') throw leaseEnded(lease);
	throw new ApiError('lease_not_active', `The lease is ${lease.status}.`, {
		hint: 'Wait until its status is active.',
	});
}

/** Refuses what needs a board while the lease waits for one. */
export function requireGranted(lease: LeaseRow) {
	if (lease.board_id !== null) return;
	if (lease.status === 'ended') throw leaseEnded(lease);
	throw new ApiError('lease_not_active', 'The lease is waiting for a board.');
}

/** What the agent can do with the board of a lease. Without an agent there is nothing to do. */
export async function requireDriven(db: Kysely<Schema>, leaseId: string): Promise<Capabilities> {
	const board = await db
		.selectFrom('leases')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.select(['boards.agent_id', 'boards.capabilities'])
		.where('leases.id', '=', leaseId)
		.executeTakeFirst();
	if (!board?.agent_id) {
		throw new ApiError(
			'board_has_no_agent',
			'No agent drives this board, so it can only be reserved.',
		);
	}
	// Written by this service, from what the agent sent.
	if (board.capabilities !== null) return JSON.parse(board.capabilities) as Capabilities;
	return { actions: [], console: false };
}
