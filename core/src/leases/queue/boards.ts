// `suits` and `byPreference` of rules/order.ts in SQL.
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { havingTags } from '../../boards/tags.ts';
import type { Schema } from '../../database/schema.ts';
import type { Wanting } from '../rules/order.ts';

/** Boards that suit a lease. Requirements that are left out are not checked. */
export function suiting({
	board_type,
	wanted_board_id = null,
	wanted_tags = '{}',
	requires_agent = 0,
	most_credits_per_minute: maxPrice,
}: Partial<Wanting>) {
	return ({ and, eb }: ExpressionBuilder<Schema, 'boards'>) =>
		and([
			...(board_type === undefined ? [] : [eb('board_type', '=', board_type)]),
			...(wanted_board_id === null ? [] : [eb('id', '=', wanted_board_id)]),
			...havingTags(JSON.parse(wanted_tags)),
			...(maxPrice === undefined ? [] : [eb('credits_per_minute', '<=', maxPrice)]),
			...(requires_agent === 0 ? [] : [eb('agent_id', 'is not', null)]),
		]);
}

/** Written as in the index of free boards, so that PostgreSQL uses no other index. */
export const isFree = sql<boolean>`status || '' = 'available'`;

export function preferredFirst<Row>(boards: SelectQueryBuilder<Schema, 'boards', Row>) {
	return boards.orderBy('credits_per_minute').orderBy(sql`(agent_id is null)`).orderBy('id');
}
