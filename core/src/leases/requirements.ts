// What requests about a lease require.
import { type Capabilities, capabilitiesOf } from '../boards/capabilities.ts';
import type { Db, LeaseRow } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { boardHasNoAgent, leaseEnded } from './errors.ts';

export function requireActive(lease: LeaseRow) {
	if (lease.status === 'active') return;
	if (lease.status === 'ended') throw leaseEnded(lease);
	throw new ApiError('lease_not_active', `The lease is ${lease.status}.`, {
		hint: 'Wait until its status is active.',
	});
}

export function requireGranted(lease: LeaseRow) {
	if (lease.board_id !== null) return;
	if (lease.status === 'ended') throw leaseEnded(lease);
	throw new ApiError('lease_not_active', 'The lease is waiting for a board.');
}

/** Undefined if the lease has no board with an agent. */
export async function drivenBoard(db: Db, leaseId: string) {
	const board = await db
		.selectFrom('leases')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.select(['boards.agent_id', 'boards.capabilities'])
		.where('leases.id', '=', leaseId)
		.executeTakeFirst();
	return board?.agent_id ? { capabilities: capabilitiesOf(board) } : undefined;
}

/** While the agent is away, it can do nothing with the board. */
export async function requireDriven(db: Db, leaseId: string): Promise<Capabilities> {
	const board = await drivenBoard(db, leaseId);
	if (!board) throw boardHasNoAgent('this board');
	return board.capabilities ?? { actions: [], console: false, between_leases: 'keep' };
}

/** Undefined without an agent. */
export async function isAgentConnected(
	db: Db,
	{ board_id, status }: Pick<LeaseRow, 'board_id' | 'status'>,
) {
	if (status === 'ended' || board_id === null) return undefined;
	const agent = await db
		.selectFrom('boards')
		.innerJoin('agents', 'agents.id', 'boards.agent_id')
		.select('agents.connection_id')
		.where('boards.id', '=', board_id)
		.executeTakeFirst();
	return agent && agent.connection_id !== null;
}
