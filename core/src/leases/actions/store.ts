// The actions of leases, which the agent carries out one after the other.
import type { leaseActionInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { timeIn } from '../../database/clock.ts';
import { type PageQuery, readPage } from '../../database/pagination.ts';
import type { Db, LeaseActionRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { newId } from '../../identifier.ts';
import { invalid } from '../../validation.ts';
import { findFile, requireOffset } from '../files/store.ts';
import { countChange } from '../live.ts';
import { medianOf, pastOfType } from '../queue/usage.ts';
import { requireDriven } from '../requirements.ts';

const record = [
	'id',
	'action',
	'phase',
	'name',
	'status',
	'message',
	'progress',
	'console_offset',
	'created_at',
	'ended_at',
	'requested_by',
] as const;

/** How many actions of a lease may be open, and how many it may have. */
const maxActions = { open: 16, all: 1_000, by: '' };

/** Fewer for colleagues, so that the holder can always act. */
const maxOfColleagues = { open: 2, all: 500, by: ' by colleagues' };

interface Requested extends LeaseReader {
	requestedBy: LeaseActionRow['requested_by'];
	input: z.output<typeof leaseActionInput>;
}

export async function createAction(db: Db, { requestedBy, input, ...reader }: Requested) {
	const { leaseId } = reader;
	const { action, name, file_id, flash_offset } = input;
	const board = await requireDriven(db, leaseId);
	if (!board.actions.includes(action)) {
		throw invalid([{ path: 'action', message: 'is not supported by this board' }]);
	}
	if (file_id !== undefined) {
		requireOffset(await findFile(db, { leaseId, fileId: file_id }), flash_offset ?? '0', board);
	}
	const actions = selectActions(db, leaseId);
	await limitActions(actions, maxActions);
	if (requestedBy) {
		await limitActions(actions.where('requested_by', 'is not', null), maxOfColleagues);
	}
	await countChange(db, [leaseId]);
	const created = await db
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
			name,
			file_id,
			flash_offset,
			status: 'queued',
			message: '',
			created_at: timeIn(db),
			requested_by: requestedBy,
		}))
		.returning(record)
		.executeTakeFirstOrThrow();
	return readableBy(reader)(created);
}

/** Fails queued actions of colleagues who may no longer type. */
export async function dropActions(db: Db, leaseId: string) {
	const { numUpdatedRows } = await db
		.updateTable('lease_actions')
		.set({ status: 'failed', ended_at: timeIn(db) })
		.set({
			message: 'Whoever requested this may no longer act on the board. It may already have begun.',
		})
		.where('lease_id', '=', leaseId)
		.where('status', '=', 'queued')
		// Without shares, `not in` would also match actions of the holder.
		.where('requested_by', 'is not', null)
		.where('requested_by', 'not in', ({ selectFrom }) =>
			selectFrom('lease_shares')
				.select('email')
				.where('lease_id', '=', leaseId)
				.where('access', '=', 'type'),
		)
		.executeTakeFirst();
	if (numUpdatedRows > 0n) await countChange(db, [leaseId]);
}

interface LeaseReader {
	leaseId: string;
	seesColleagues: boolean;
}

function readableBy({ seesColleagues }: LeaseReader) {
	return <Action extends Pick<LeaseActionRow, 'requested_by'>>(action: Action) =>
		seesColleagues ? action : { ...action, requested_by: null };
}

export async function listActions(db: Db, reader: LeaseReader, request: PageQuery) {
	const query = selectActions(db, reader.leaseId).select([...record, 'position']);
	const list = { name: `actions ${reader.leaseId}`, by: ['position'], direction: 'asc' } as const;
	const page = await readPage(query, list, request);
	const readable = readableBy(reader);
	return { ...page, data: page.data.map(({ position: _, ...action }) => readable(action)) };
}

/** How many actions the page of a lease shows. */
export const shownActions = 200;

/** The last actions of a lease, with the start of each. */
export async function lastActions(db: Db, reader: LeaseReader) {
	const newest = selectActions(db, reader.leaseId).select(record).orderBy('position', 'desc');
	const rows = await newest.limit(shownActions).execute();
	return withStarts(rows.reverse().map(readableBy(reader)));
}

interface Timed {
	created_at: string;
	ended_at: string | null;
}

/** An action starts when it was requested and the one before has ended. */
function withStarts<Action extends Timed>(actions: Action[]) {
	return actions.map((action, index) => {
		const before = actions[index - 1]?.ended_at ?? '';
		const started_at = before > action.created_at ? before : action.created_at;
		return { ...action, started_at };
	});
}

/** How many of the last leases are compared. */
const comparedLeases = 20;

export function stepKey({ action, name }: Pick<LeaseActionRow, 'action' | 'name'>) {
	return `${action} ${name ?? ''}`;
}

/** The median time of each step of a preparation, on the boards of a type. */
export async function usualTimes(db: Db, boardType: string) {
	const steps = await db
		.selectFrom('lease_actions')
		.select(['lease_id', 'action', 'name', 'created_at', 'ended_at'])
		.where('phase', '=', 'prepare')
		.where('status', '=', 'done')
		.where('lease_id', 'in', pastOfType(db, boardType, comparedLeases).select('id'))
		.orderBy('lease_id')
		.orderBy('position')
		.execute();
	const ofLeases = [...Map.groupBy(steps, ({ lease_id }) => lease_id).values()];
	const same = [...Map.groupBy(ofLeases.flatMap(withStarts), stepKey)];
	return new Map(same.map(([key, steps]) => [key, medianOf(steps.map(timeOf))]));
}

function timeOf({ started_at, ended_at }: Timed & { started_at: string }) {
	return Date.parse(ended_at ?? started_at) - Date.parse(started_at);
}

function selectActions(db: Db, leaseId: string) {
	return db.selectFrom('lease_actions').where('lease_id', '=', leaseId);
}

/** Deletes actions, shares and files of leases that ended before this time. Until then, an upload can be repeated. */
export async function deleteOldActions(db: Db, endedBefore: string) {
	for (const table of ['lease_actions', 'lease_shares', 'files'] as const) {
		await db
			.deleteFrom(table)
			.where(({ exists, selectFrom }) =>
				// A subquery for each row, because far more leases have ended than still have rows.
				exists(
					selectFrom('leases')
						.select('leases.id')
						.whereRef('leases.id', '=', 'lease_id')
						.where('ended_at', '<', endedBefore),
				),
			)
			.execute();
	}
}

export async function findAction(
	db: Db,
	{ actionId, ...reader }: LeaseReader & { actionId: string },
) {
	const action = await selectActions(db, reader.leaseId)
		.select(record)
		.where('id', '=', actionId)
		.executeTakeFirstOrThrow(() => new ApiError('action_not_found', 'There is no such action.'));
	return readableBy(reader)(action);
}

async function limitActions(
	actions: ReturnType<typeof selectActions>,
	{ open, all, by }: typeof maxActions,
) {
	const counted = await actions
		.select(({ fn }) => [fn.countAll().as('all'), fn.count('ended_at').as('ended')])
		.executeTakeFirstOrThrow();
	if (Number(counted.all) >= all) {
		const hint = by ? 'The holder can reset the board.' : 'Release it, and lease the board again.';
		throw new ApiError('lease_limit', `A lease has at most ${all} actions${by} in all.`, { hint });
	}
	if (Number(counted.all) - Number(counted.ended) < open) return;
	throw new ApiError('lease_limit', `${open} actions${by} are already waiting for this board.`, {
		hint: 'Wait until one has ended.',
	});
}
