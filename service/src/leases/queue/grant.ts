// Gives boards to queued leases. Any replica does it at any time: a board is taken by a
// compare-and-set of its status, so of many who want it at once one succeeds.
import { releaseBoard } from '../../boards/status.ts';
import { clockOf, timeIn, timestamp } from '../../database/clock.ts';
import type { BoardRow, Db, LeaseRow } from '../../database/schema.ts';
import type { Settings } from '../../env.ts';
import type { Parts } from '../../parts.ts';
import { announceLease } from '../changes.ts';
import { clearConsole } from '../console/store.ts';
import { activateLease, activeValues, prepareBoard } from '../preparation/prepare.ts';
import { lockLease } from '../store.ts';
import { freeBoards, holdFor, nextInQueue } from './order.ts';

/** How often a lease waits longer than its user wanted; a third failure ends it. */
const mostExtensions = 2;

type Granting = Pick<Parts, 'database' | 'wake' | 'settings' | 'log'>;
type PreparationLimit = Pick<Settings, 'leasePreparationSeconds'>;

/** Grants until no queued lease can have a board. */
export async function grantBoards({ database, wake, settings }: Granting) {
	for (;;) {
		const next = await nextInQueue(database.query);
		if (!next) return;
		const granted = await database.query
			.transaction()
			.execute((db) => grantLease(db, next, settings));
		// Otherwise another replica was faster, and the next round continues.
		if (granted) announceLease(wake, granted);
	}
}

export async function grantSoon(needs: Granting) {
	await grantBoards(needs).catch((error) =>
		needs.log.warn({ error }, 'Granting boards failed; retrying in a second'),
	);
}

async function grantLease(db: Db, { id }: LeaseRow, limit: PreparationLimit) {
	const lease = await lockLease(db, id);
	if (lease?.status !== 'queued') return undefined;
	const free = await freeBoards(db, lease).limit(1).executeTakeFirst();
	const board = free && (await holdFor(db, lease, free));
	if (!board) return undefined;
	const granted = await db
		.updateTable('leases')
		.set(grantedValues(lease, { board, time: clockOf(db).now(), ...limit }))
		.where('id', '=', id)
		.returningAll()
		.executeTakeFirstOrThrow();
	return startPreparing(db, granted, board);
}

/** The fields of a lease that has its board. Until it is active, credits are held as in the queue. */
export function grantedValues(
	{ minutes }: Pick<LeaseRow, 'minutes'>,
	{
		board: { id: board_id, fence, credits_per_minute, agent_id },
		time,
		leasePreparationSeconds,
	}: { board: BoardRow; time: number } & PreparationLimit,
) {
	const granted = { board_id, fence, credits_per_minute, granted_at: timestamp(time) };
	// Without an agent there is nothing to prepare.
	if (agent_id === null)
		return { ...granted, ...activeValues({ minutes, credits_per_minute }, time) };
	const preparation_expires_at = timestamp(time + leasePreparationSeconds * 1000);
	return { ...granted, status: 'preparing' as const, preparation_expires_at };
}

/** Has the agent prepare the board; a lease without anything to prepare is active at once. */
export async function startPreparing(db: Db, lease: LeaseRow, board: BoardRow) {
	if (lease.status === 'active') return lease;
	await prepareBoard(db, { lease, board });
	return (await activateLease(db, lease)) ?? lease;
}

/** Puts a lease that is being prepared back into the queue, with its age and the price that was accepted. */
export async function requeueLease(
	db: Db,
	lease: LeaseRow,
	/** How long it waits for another board at least, in milliseconds, unless it did so too often. */
	patience: number,
) {
	await db
		.deleteFrom('lease_actions')
		.where('lease_id', '=', lease.id)
		.where('status', 'in', ['queued', 'running'])
		.execute();
	await clearConsole(db, lease.id);
	const earliest = timeIn(db, patience);
	const isExtended = lease.queued_until < earliest && lease.wait_extensions < mostExtensions;
	const requeued = await db
		.updateTable('leases')
		.set({
			status: 'queued',
			board_id: null,
			fence: null,
			granted_at: null,
			preparation_expires_at: null,
			...(isExtended && { queued_until: earliest, wait_extensions: lease.wait_extensions + 1 }),
		})
		.where('id', '=', lease.id)
		.returningAll()
		.executeTakeFirstOrThrow();
	if (lease.board_id !== null) {
		await releaseBoard(db, { boardId: lease.board_id, leaseId: lease.id });
	}
	return requeued;
}
