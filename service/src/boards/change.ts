// Boards as an administrator creates, changes and retires them, one at a time.
import type { boardInput, boardUpdate } from 'board-access-contract';
import type { Kysely } from 'kysely';
import type * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { newId } from '../database/identifier.ts';
import type { Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { endLease } from '../leases/ending/end.ts';
import { refreshBoards } from './status.ts';
import { boardRecord, noSuchBoard, recordColumns } from './store.ts';
import { searchColumns } from './words.ts';

type BoardUpdate = z.output<typeof boardUpdate>;

/** Creates a board that no agent drives yet. */
export function createBoard(db: Kysely<Schema>, input: z.output<typeof boardInput>) {
	return inTransaction(db, async (db) => {
		const created_at = now();
		const { tags, status, ...fields } = input;
		const id = newId('brd');
		const row = await db
			.insertInto('boards')
			.values({
				...fields,
				id,
				...searchColumns({ ...input, id }),
				status,
				base_status: status,
				tags: JSON.stringify(tags),
				created_at,
				updated_at: created_at,
			})
			.returning(recordColumns)
			.executeTakeFirstOrThrow();
		const { name, board_type } = fields;
		await record(db, { kind: 'board.created', subjectId: id, details: { name, board_type } });
		return boardRecord(row);
	});
}

/** Changes the given fields of a board. `status` is its status while it has no lease. */
export function updateBoard(db: Kysely<Schema>, id: string, update: BoardUpdate) {
	return inTransaction(db, async (db) => {
		const { tags, status, ...fields } = update;
		const row = await db
			.updateTable('boards')
			.set({
				...fields,
				...(tags && { tags: JSON.stringify(tags) }),
				...(status && { base_status: status }),
				...(status && status !== 'maintenance' && { status_reason: '', failed_preparations: 0 }),
				updated_at: now(),
			})
			.where('id', '=', id)
			.returning(recordColumns)
			.executeTakeFirst();
		if (!row) throw noSuchBoard();
		const columns = searchColumns(boardRecord(row));
		await db.updateTable('boards').set(columns).where('id', '=', id).execute();
		const details = { fields: Object.keys(update) };
		await record(db, { kind: 'board.changed', subjectId: id, details });
		await refreshBoards(db, [id]);
	});
}

/** Removes a board that no lease holds. Leases that wait for it end; past ones are kept. */
export async function retireBoard(db: Kysely<Schema>, id: string) {
	const row = await inTransaction(db, (db) => deleteBoard(db, id));
	if (!row) throw await notRetired(db, id);
	return { board: boardRecord(row), agentId: row.agent_id, ended: await endWaiting(db, id) };
}

async function deleteBoard(db: Kysely<Schema>, id: string) {
	const row = await db
		.deleteFrom('boards')
		.where('id', '=', id)
		// A grant writes the lease to this row, so one of the two comes first.
		.where('lease_id', 'is', null)
		.returning(recordColumns)
		.executeTakeFirst();
	if (row) {
		const { name, board_type } = row;
		await record(db, { kind: 'board.retired', subjectId: id, details: { name, board_type } });
	}
	return row;
}

async function notRetired(db: Kysely<Schema>, id: string) {
	const board = await db.selectFrom('boards').select('id').where('id', '=', id).executeTakeFirst();
	return board
		? new ApiError('board_in_use', `The board ${id} is in a lease.`, {
				hint: 'Wait until the lease ends, or end it.',
			})
		: noSuchBoard();
}

async function endWaiting(db: Kysely<Schema>, boardId: string) {
	const waiting = await db
		.selectFrom('leases')
		.select('id')
		.where('wanted_board_id', '=', boardId)
		.where('status', '<>', 'ended')
		.execute();
	const ended = [];
	for (const { id } of waiting) {
		const lease = await endLease(db, id, () => ({
			reason: 'no_board',
			message: 'The board was removed.',
		}));
		if (lease) ended.push(lease);
	}
	return ended;
}
