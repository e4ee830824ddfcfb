// Boards in the database.
import { board } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { BoardRow, Db, Owned } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { capabilitiesOf } from './capabilities.ts';

/** What is found out for each record; everything else on the wire is a column. */
const { lease_id, has_agent, memory, keeps_firmware, ...columns } = board.shape;

export const boardColumns = Object.keys(columns) as (keyof typeof columns)[];

/** 1 if a lease may begin with the firmware of an earlier one; null while no agent drives the board. */
export const keepsFirmware = sql<number | null>`case
	when agent_id is null or capabilities is null then null
	when capabilities like '%"between_leases":"erase"%' then 0
	when exists (
		select 1 from base_images where base_images.board_type = boards.board_type and enabled = 1
	) then 0
	else 1 end`;

/** The columns that `boardRecord` needs. */
export const recordColumns = [
	...boardColumns,
	'agent_id',
	'capabilities',
	keepsFirmware.as('keeps_firmware'),
] as const;

/** The lease on a board, visible only to its holder. */
export function ownLease(accountId: string) {
	return sql<string | null>`case when lease_account_id = ${accountId} then lease_id end`.as(
		'lease_id',
	);
}

export async function findBoard(db: Db, { accountId, id }: Owned) {
	const row = await db
		.selectFrom('boards')
		.select(recordColumns)
		.select(ownLease(accountId))
		.where('id', '=', id)
		.executeTakeFirst();
	return row && boardRecord(row);
}

export async function readBoard(db: Db, owned: Owned) {
	const board = await findBoard(db, owned);
	if (!board) throw noSuchBoard();
	return board;
}

export async function boardNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
	if (ids.length === 0) return new Map();
	const boards = await db
		.selectFrom('boards')
		.select(['id', 'name'])
		.where('id', 'in', ids)
		.execute();
	return new Map(boards.map(({ id, name }) => [id, name]));
}

export function noSuchBoard() {
	return new ApiError('board_not_found', 'There is no such board.');
}

export async function listBoardTypes(db: Db) {
	const rows = await db
		.selectFrom('boards')
		.select('board_type')
		.distinct()
		.orderBy('board_type')
		.execute();
	return rows.map((row) => row.board_type);
}

type SelectedBoard = Pick<BoardRow, keyof typeof columns | 'agent_id' | 'capabilities'> & {
	lease_id?: string | null;
	keeps_firmware: number | null;
};

export function boardRecord(row: SelectedBoard): z.output<typeof board> {
	const fields = Object.fromEntries(boardColumns.map((name) => [name, row[name]]));
	return {
		...(fields as Pick<SelectedBoard, keyof typeof columns>), // those of the columns
		// Written by this service, as a JSON object of strings.
		tags: JSON.parse(row.tags) as Record<string, string>,
		lease_id: row.lease_id ?? null,
		has_agent: row.agent_id !== null,
		memory: capabilitiesOf(row)?.memory ?? null,
		keeps_firmware: row.keeps_firmware === null ? null : row.keeps_firmware === 1,
	};
}

export function boardInUse(id: string) {
	return new ApiError('board_in_use', `The board ${id} is in a lease.`, {
		hint: 'Wait until the lease ends, or end it.',
	});
}
