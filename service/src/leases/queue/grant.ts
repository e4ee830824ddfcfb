// Gives boards to queued leases, on any replica: the first of a type gets the first board that is free for it.
import { releaseBoard } from '../../boards/status.ts';
import { clockOf, timeIn, timestamp } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { defineSteps } from '../../database/steps.ts';
import { inTransaction } from '../../database/transactions.ts';
import type { Settings } from '../../env.ts';
import type { Parts } from '../../parts.ts';
import { announceLease } from '../changes.ts';
import { noConsole } from '../console/store.ts';
import type { Ended } from '../ending/end.ts';
import { chargedFrom } from '../grace.ts';
import {
	freeBoard,
	newActions,
	ofTypeOrWanted,
	plannedActions,
	takenBoard,
} from '../preparation/steps.ts';
import { lockQueue, nextInQueue, queuedTypes, renumberQueue } from './order.ts';

const minute = 60_000;

/** How often a lease waits longer than its user wanted; a third failure ends it. */
const mostExtensions = 2;

type Granting = Pick<Parts, 'database' | 'wake' | 'settings' | 'log'>;

/** Grants until no queued lease of any type can have a board. */
export async function grantBoards(needs: Granting) {
	const { query } = needs.database;
	for (const type of await queuedTypes(query)) {
		// Looked for without the lock of the queue, because most times nobody is next.
		while (await nextInQueue(query, type)) {
			if (!(await grantNext(needs, type))) break;
		}
	}
}

/**
 * Grants the board of a lease that has ended, or whatever has become free. Within a second, the scheduler repeats
 * what fails, and grants to leases that were queued at the same moment.
 */
export async function grantSoon(needs: Granting, ended?: Ended) {
	if (ended && !ended.awaited) return;
	const granting = ended ? grantNext(needs, ended.board_type) : grantBoards(needs);
	await granting.catch((error) =>
		needs.log.warn({ error }, 'Granting boards failed; retrying in a second'),
	);
}

async function grantNext({ database, wake, settings }: Granting, type: string) {
	const granted = await inTransaction(database.query, async (db) => {
		await lockQueue(db, type);
		const next = await nextInQueue(db, type);
		return next && grantTo(db, next, settings);
	});
	if (granted) announceLease(wake, granted);
	return granted;
}

async function grantTo(db: Db, next: LeaseRow, { leasePreparationSeconds }: Settings) {
	const { minutes } = next;
	const time = clockOf(db).now();
	const begins = chargedFrom(next, { granted: timestamp(time), ready: time });
	const [granted] = await grant<LeaseRow & { others: number }>(db, {
		id: next.id,
		account: next.account_id,
		type: next.board_type,
		wanted: next.wanted_board_id,
		agent: next.requires_agent,
		rate: next.most_credits_per_minute,
		held: next.held_credits,
		fence: next.fence,
		minutes,
		now: timestamp(time),
		begins: timestamp(begins),
		prepared_until: timestamp(time + leasePreparationSeconds * 1000),
		active_until: timestamp(begins + minutes * minute),
		actions: newActions(),
	});
	if (granted && granted.others > 0) await renumberQueue(db, next.account_id);
	return granted;
}

const grant = defineSteps(
	{
		account: `select id from accounts where id = :account {for no key update}`,
		waiting: `select id from leases
			where id = :id and status = 'queued' and exists (select 1 from account) {for no key update}`,
		'rate (most)': 'select cast(:rate as integer)',
		'free (id)': freeBoard({
			among: ofTypeOrWanted,
			condition: 'exists (select 1 from waiting)',
			waits: true,
		}),
		...takenBoard,
		'holder (others)': `update accounts set queued_leases = queued_leases - 1,
				held_credits = held_credits + (select held from terms) - cast(:held as integer)
			where id = :account and exists (select 1 from terms)
			returning queued_leases`,
		lease: `update leases set turn = null, granted_at = :now,
				(board_id, fence, credits_per_minute) = (select id, fence, credits_per_minute from board),
				(held_credits, status, open_steps, preparation_expires_at, started_at, charged_from,
					expires_at) = (
					select held, status, steps, case status when 'preparing' then :prepared_until end,
						case status when 'active' then :now end, case status when 'active' then :begins end,
						case status when 'active' then :active_until else leases.expires_at end
					from terms
				)
			where id = :id and exists (select 1 from terms)
			returning *, (select others from holder) as others`,
		action: plannedActions,
	},
	'lease',
);

/**
 * Puts a lease that is being prepared back into the queue, with its age and the price that was accepted.
 * Needs the lock of the lease and its account.
 */
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
	await db.deleteFrom('console_chunks').where('lease_id', '=', lease.id).execute();
	const earliest = timeIn(db, patience);
	const isExtended = lease.queued_until < earliest && lease.wait_extensions < mostExtensions;
	const requeued = await db
		.updateTable('leases')
		.set({
			status: 'queued',
			board_id: null,
			granted_at: null,
			preparation_expires_at: null,
			...noConsole,
			...(isExtended && { queued_until: earliest, wait_extensions: lease.wait_extensions + 1 }),
		})
		.where('id', '=', lease.id)
		.returningAll()
		.executeTakeFirstOrThrow();
	await db
		.updateTable('accounts')
		.set((eb) => ({ queued_leases: eb('queued_leases', '+', 1) }))
		.where('id', '=', lease.account_id)
		.execute();
	await renumberQueue(db, lease.account_id);
	if (lease.board_id !== null) {
		await releaseBoard(db, { boardId: lease.board_id, leaseId: lease.id });
	}
	return requeued;
}
