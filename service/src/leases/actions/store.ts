// Actions of leases: what the agent has to carry out on the board, one after the other.
import type { leaseActionInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { timeIn } from '../../database/clock.ts';
import { newId } from '../../database/identifier.ts';
import { type PageRequest, pageFrom } from '../../database/pagination.ts';
import type { Db } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { invalid } from '../../validation.ts';
import { findFile, requireOffset } from '../files/store.ts';
import { requireDriven } from '../requirements.ts';

const record = [
	'id',
	'action',
	'phase',
	'name',
	'status',
	'message',
	'console_offset',
	'created_at',
	'ended_at',
] as const;

/** The most actions of a lease that are not finished, and the most in all. */
const mostOpen = 16;
const mostActions = 1_000;

export async function createAction(
	db: Db,
	leaseId: string,
	{ action, file_id, flash_offset }: z.output<typeof leaseActionInput>,
) {
	const board = await requireDriven(db, leaseId);
	if (!board.actions.includes(action)) {
		throw invalid([{ path: 'action', message: 'is not supported by this board' }]);
	}
	if (file_id !== undefined) {
		requireOffset(await findFile(db, { leaseId, fileId: file_id }), flash_offset ?? '0', board);
	}
	await requireRoom(db, leaseId);
	await db
		.updateTable('leases')
		.set((eb) => ({ action_changes: eb('action_changes', '+', 1) }))
		.where('id', '=', leaseId)
		.execute();
	return db
		.insertInto('lease_actions')
		.values((eb) => ({
			id: newId('act'),
			lease_id: leaseId,
			position: eb
				.selectFrom('lease_actions as earlier')
				.select(({ fn, val, eb }) =>
					eb(fn.coalesce(fn.max('earlier.position'), val(-1)), '+', 1).as('next'),
				)
				.where('earlier.lease_id', '=', leaseId),
			phase: 'use',
			action,
			file_id,
			flash_offset,
			status: 'queued',
			message: '',
			created_at: timeIn(db),
		}))
		.returning(record)
		.executeTakeFirstOrThrow();
}

/** A page of the actions of a lease, in order. */
export async function listActions(db: Db, leaseId: string, { limit, after }: PageRequest) {
	const rows = await actionsOf(db, leaseId)
		.$if(after !== undefined, (query) =>
			query.where('position', '>', (eb) =>
				eb
					.selectFrom('lease_actions as last')
					.select('last.position')
					.where('last.lease_id', '=', leaseId)
					.where('last.id', '=', after?.[1] ?? ''),
			),
		)
		.orderBy('position')
		.limit(limit + 1)
		.execute();
	const place = ({ created_at, id }: (typeof rows)[number]) => [created_at, id] as const;
	return pageFrom(rows, { list: actionList(leaseId), limit, place });
}

/** The name of the list of actions, to which its cursors are bound. */
export function actionList(leaseId: string) {
	return `actions ${leaseId}`;
}

/** The last actions of a lease, in order. */
export async function lastActions(db: Db, leaseId: string, limit: number) {
	const newest = actionsOf(db, leaseId).orderBy('position', 'desc').limit(limit);
	return (await newest.execute()).reverse();
}

function actionsOf(db: Db, leaseId: string) {
	return db.selectFrom('lease_actions').select(record).where('lease_id', '=', leaseId);
}

/** Deletes the actions of leases that ended before a moment. */
export async function deleteOldActions(db: Db, endedBefore: string) {
	await db
		.deleteFrom('lease_actions')
		.where(({ exists, selectFrom }) =>
			// One by one: the leases that have ended are far more than those that still have actions.
			exists(
				selectFrom('leases')
					.select('leases.id')
					.whereRef('leases.id', '=', 'lease_actions.lease_id')
					.where('ended_at', '<', endedBefore),
			),
		)
		.execute();
}

export function findAction(db: Db, { leaseId, actionId }: { leaseId: string; actionId: string }) {
	return db
		.selectFrom('lease_actions')
		.select(record)
		.where('id', '=', actionId)
		.where('lease_id', '=', leaseId)
		.executeTakeFirstOrThrow(() => new ApiError('action_not_found', 'There is no such action.'));
}

async function requireRoom(db: Db, leaseId: string) {
	const { all, ended } = await db
		.selectFrom('lease_actions')
		.select(({ fn }) => [fn.countAll().as('all'), fn.count('ended_at').as('ended')])
		.where('lease_id', '=', leaseId)
		.executeTakeFirstOrThrow();
	if (Number(all) >= mostActions) {
		throw new ApiError('lease_limit', `A lease has at most ${mostActions} actions in all.`, {
			hint: 'Release it, and lease the board again.',
		});
	}
	if (Number(all) - Number(ended) < mostOpen) return;
	throw new ApiError('lease_limit', `${mostOpen} actions of this lease are already waiting.`, {
		hint: 'Wait until one has ended.',
	});
}
