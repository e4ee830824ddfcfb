// Gives boards to queued leases. Any replica does it at any time: a board is taken by a
// compare-and-set of its status, so of many who want it at once one succeeds.
import type { Kysely } from 'kysely';
import { holdBoard, releaseBoard } from '../../boards/status.ts';
import type { BoardRow, LeaseRow, Schema } from '../../database/schema.ts';
import { now } from '../../database/time.ts';
import type { Parts } from '../../parts.ts';
import { announceLease } from '../changes.ts';
import { lockLease } from '../lock.ts';
import { activateLease } from '../preparation/activate.ts';
import { prepareBoard } from '../preparation/prepare.ts';
import { freeBoards, nextInQueue } from './order.ts';

const minute = 60_000;

/** Grants until no queued lease can have a board. */
export async function grantBoards({ database, wake }: Pick<Parts, 'database' | 'wake'>) {
	for (;;) {
		const next = await nextInQueue(database.query);
		if (!next) return;
		const granted = await database.query.transaction().execute((db) => grantLease(db, next));
		// Otherwise another replica was faster, and the next round continues.
		if (granted) announceLease(wake, granted);
	}
}

/** The same after a committed change: after an error, the scheduler retries. */
export async function grantSoon(needs: Pick<Parts, 'database' | 'wake' | 'log'>) {
	await grantBoards(needs).catch((error) =>
		needs.log.warn({ error }, 'Granting boards failed; retrying in a second'),
	);
}

async function grantLease(db: Kysely<Schema>, { id }: LeaseRow) {
	const lease = await lockLease(db, id);
	if (lease?.status !== 'queued') return undefined;
	const free = await freeBoards(db, lease).limit(1).executeTakeFirst();
	const board =
		free && (await holdBoard(db, { boardId: free.id, leaseId: id, accountId: lease.account_id }));
	return board && beginLease(db, lease, board);
}

/** The fields of a lease that has its board. Its time runs from the grant. */
export function grantedValues(lease: Pick<LeaseRow, 'minutes'>, board: BoardRow) {
	const granted_at = now();
	// Without an agent there is nothing to prepare.
	const ready = board.agent_id === null;
	return {
		status: ready ? ('active' as const) : ('preparing' as const),
		started_at: ready ? granted_at : null,
		board_id: board.id,
		fence: board.fence,
		credits_per_minute: board.credits_per_minute,
		held_credits: board.credits_per_minute * lease.minutes,
		granted_at,
		expires_at: new Date(Date.parse(granted_at) + lease.minutes * minute).toISOString(),
	};
}

async function beginLease(db: Kysely<Schema>, { id, minutes }: LeaseRow, board: BoardRow) {
	const lease = await db
		.updateTable('leases')
		.set(grantedValues({ minutes }, board))
		.where('id', '=', id)
		.returningAll()
		.executeTakeFirstOrThrow();
	return startPreparing(db, lease, board);
}

/** Has the agent prepare the board; a lease without anything to prepare is active at once. */
export async function startPreparing(db: Kysely<Schema>, lease: LeaseRow, board: BoardRow) {
	if (lease.status === 'active') return lease;
	await prepareBoard(db, { lease, board });
	return (await activateLease(db, lease.id)) ?? lease;
}

/** Puts a lease whose board turned out to be unusable back into the queue, with its age. */
export async function requeueLease(db: Kysely<Schema>, lease: LeaseRow) {
	const requeued = await db
		.updateTable('leases')
		.set({ status: 'queued', board_id: null, fence: null, granted_at: null, expires_at: null })
		.where('id', '=', lease.id)
		.where('status', '=', 'preparing')
		.returningAll()
		.executeTakeFirst();
	if (requeued && lease.board_id !== null) {
		await releaseBoard(db, { boardId: lease.board_id, leaseId: lease.id });
	}
	return requeued;
}
