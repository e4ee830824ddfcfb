// What happens to a lease when a step of its preparation has ended.
import type { Kysely } from 'kysely';
import { refreshBoards } from '../../boards/status.ts';
import type { LeaseActionRow, LeaseRow, Schema } from '../../database/schema.ts';
import { clearConsole } from '../console/store.ts';
import { endLease } from '../ending/end.ts';
import { requeueLease } from '../queue/grant.ts';
import { activateLease } from './activate.ts';

/** After as many failures in a row, a board goes into maintenance. */
const mostBoardFailures = 2;

/** After as many failures, on whichever boards, a lease ends. */
const mostLeaseFailures = 3;

/** How long a lease whose preparation failed waits for another board at least. */
const patience = 10_000;

/** Continues after a step of a preparation has ended. Needs a transaction. */
export async function continuePreparing(
	db: Kysely<Schema>,
	lease: LeaseRow,
	step: Pick<LeaseActionRow, 'action' | 'name' | 'status' | 'message'>,
) {
	if (lease.status !== 'preparing' || lease.board_id === null) return;
	if (step.status === 'failed') {
		const reason = describeFailure(step);
		await noteBoardFailure(db, lease.board_id, reason);
		await failPreparation(db, lease, reason);
	} else if (await activateLease(db, lease.id)) {
		await db
			.updateTable('boards')
			.set({ failed_preparations: 0 })
			.where('id', '=', lease.board_id)
			.execute();
	}
}

/** Puts the lease back into the queue, or ends it if preparations have failed too often. */
export async function failPreparation(db: Kysely<Schema>, lease: LeaseRow, reason: string) {
	if ((await countFailures(db, lease.id)) >= mostLeaseFailures || !(await hasBoards(db, lease))) {
		const message = `The preparation of the board failed: ${reason}`;
		await endLease(db, lease.id, () => ({ reason: 'prepare_failed', message }));
		return;
	}
	await db
		.deleteFrom('lease_actions')
		.where('lease_id', '=', lease.id)
		.where('status', 'in', ['queued', 'running'])
		.execute();
	await clearConsole(db, lease.id);
	await requeueLease(db, lease);
	const queued_until = new Date(Date.now() + patience).toISOString();
	await db
		.updateTable('leases')
		.set({ queued_until })
		.where('id', '=', lease.id)
		.where('queued_until', '<', queued_until)
		.execute();
}

/** The step and its message, for users and administrators. */
export function describeFailure({
	action,
	name,
	message,
}: Pick<LeaseActionRow, 'action' | 'name' | 'message'>) {
	const step = name === null ? action : `${action} of ${name}`;
	return `${step}: ${message || 'no reason given'}`;
}

/** Counts the failure for the board, which goes into maintenance after the second in a row. */
async function noteBoardFailure(db: Kysely<Schema>, boardId: string, reason: string) {
	const { failed_preparations } = await db
		.updateTable('boards')
		.set((eb) => ({ failed_preparations: eb('failed_preparations', '+', 1) }))
		.where('id', '=', boardId)
		.returning('failed_preparations')
		.executeTakeFirstOrThrow();
	if (failed_preparations < mostBoardFailures) return;
	await db
		.updateTable('boards')
		.set({
			base_status: 'maintenance',
			status_reason: `Preparation failed ${failed_preparations} times in a row. ${reason}`.slice(
				0,
				500,
			),
			failed_preparations: 0,
		})
		.where('id', '=', boardId)
		.execute();
	await refreshBoards(db, [boardId]);
}

async function countFailures(db: Kysely<Schema>, leaseId: string) {
	const { failures } = await db
		.selectFrom('lease_actions')
		.select(({ fn }) => fn.countAll().as('failures'))
		.where('lease_id', '=', leaseId)
		.where('phase', '=', 'prepare')
		.where('status', '=', 'failed')
		.executeTakeFirstOrThrow();
	return Number(failures);
}

/** Whether the lease could get another board, now or later. */
async function hasBoards(
	db: Kysely<Schema>,
	{ board_type, wanted_board_id, requires_agent }: LeaseRow,
) {
	let query = db
		.selectFrom('boards')
		.select('id')
		.where('board_type', '=', board_type)
		.where('status', 'in', ['available', 'in_use']);
	if (wanted_board_id !== null) query = query.where('id', '=', wanted_board_id);
	if (requires_agent) query = query.where('agent_id', 'is not', null);
	return (await query.limit(1).executeTakeFirst()) !== undefined;
}
