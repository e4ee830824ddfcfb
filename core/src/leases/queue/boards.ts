// Boards for leases, as the database finds them: `suits` and `byPreference` of rules/order.ts in SQL.
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { inService } from '../../boards/status.ts';
import type { Db, LeaseRow, Schema } from '../../database/schema.ts';
import type { Wanting } from '../rules/order.ts';

/** Boards that suit a lease. What is left out suits with every board. */
export function suiting({
	board_type,
	wanted_board_id = null,
	requires_agent = 0,
	most_credits_per_minute: most,
}: Partial<Wanting>) {
	return ({ and, eb }: ExpressionBuilder<Schema, 'boards'>) =>
		and([
			...(board_type === undefined ? [] : [eb('board_type', '=', board_type)]),
			...(wanted_board_id === null ? [] : [eb('id', '=', wanted_board_id)]),
			...(most === undefined ? [] : [eb('credits_per_minute', '<=', most)]),
			...(requires_agent === 0 ? [] : [eb('agent_id', 'is not', null)]),
		]);
}

/** As in the index of free boards: by another, PostgreSQL may read every board if its statistics are old. */
export const isFree = sql<boolean>`status || '' = 'available'`;

export function preferredFirst<Row>(boards: SelectQueryBuilder<Schema, 'boards', Row>) {
	return boards.orderBy('credits_per_minute').orderBy(sql`(agent_id is null)`).orderBy('id');
}

/** Whether a board that suits the lease is in service, beside the one that it has. */
export async function hasOtherBoards(db: Db, { board_id, ...lease }: LeaseRow) {
	const board = await db
		.selectFrom('boards')
		.select('id')
		.where(suiting(lease))
		.where('status', 'in', inService)
		.where('id', '<>', board_id ?? '')
		.limit(1)
		.executeTakeFirst();
	return board !== undefined;
}
