// The preconditions of requests about a lease.
import { type Capabilities, capabilitiesOf } from '../boards/capabilities.ts';
import type { Db, LeaseRow, Owned } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { boardHasNoAgent, leaseEnded } from './errors.ts';
import { findLease } from './store.ts';

/** Rejects a request that needs the board while the lease does not have it. */
export function requireActive(lease: LeaseRow) {
	if (lease.status === 'active') return;
	if (lease.status === 'ended') throw leaseEnded(lease);
	throw new ApiError('lease_not_active', `The lease is ${lease.status}.`, {
		hint: 'Wait until its status is active.',
	});
}

/** Rejects a request that needs a board while the lease waits for one. */
export function requireGranted(lease: LeaseRow) {
	if (lease.board_id !== null) return;
	if (lease.status === 'ended') throw leaseEnded(lease);
	throw new ApiError('lease_not_active', 'The lease is waiting for a board.');
}

/** What is known of the board of a lease; undefined while no agent drives one. */
export async function drivenBoard(db: Db, leaseId: string) {
	const board = await db
		.selectFrom('leases')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.select(['boards.agent_id', 'boards.capabilities'])
		.where('leases.id', '=', leaseId)
		.executeTakeFirst();
	return board?.agent_id ? { capabilities: capabilitiesOf(board) } : undefined;
}

/** What the agent can do with the board of a lease: nothing while the agent is away. */
export async function requireDriven(db: Db, leaseId: string): Promise<Capabilities> {
	const board = await drivenBoard(db, leaseId);
	if (!board) throw boardHasNoAgent('this board');
	return board.capabilities ?? { actions: [], console: false, between_leases: 'keep' };
}

/** An account's own lease, if it has a board that an agent drives. */
export async function findDrivenLease(db: Db, owned: Owned): Promise<LeaseRow> {
	const lease = await findLease(db, owned);
	requireActive(lease);
	await requireDriven(db, lease.id);
	return lease;
}

/** Whether the agent of the board of a live lease is connected; undefined without an agent. */
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
