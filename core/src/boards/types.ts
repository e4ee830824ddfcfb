// Boards by their type: how many there are of each, and a free one.
import { boardStatuses } from 'board-access-contract';
import { type RawBuilder, sql } from 'kysely';
import type { BoardRow, Db } from '../database/schema.ts';
import { filteredBoards } from './list.ts';
import { keepsFirmware } from './store.ts';

/** A board of the same type that is free: with an agent if there is one, and the cheapest of them. */
export function findFreeBoard(db: Db, { id, board_type }: Pick<BoardRow, 'id' | 'board_type'>) {
	return filteredBoards(db, { board_type, status: 'available' })
		.select(['id', 'name', 'board_type', 'credits_per_minute', 'agent_id'])
		.where('id', '<>', id)
		.orderBy(sql`agent_id is null`)
		.orderBy('credits_per_minute')
		.limit(1)
		.executeTakeFirst();
}

/** How many boards of each type there are: by status, whose last preparation failed, and that keep earlier firmware. */
export function summarizeBoardTypes(db: Db) {
	return db
		.selectFrom('boards')
		.select(({ fn }) => ['board_type', fn.countAll<number>().as('all')])
		.select(boardStatuses.map((status) => countWhere(sql`status = ${status}`).as(status)))
		.select(countWhere(sql`status = 'available' and failed_preparations > 0`).as('failing'))
		.select(countWhere(sql`${keepsFirmware} = 1`).as('keeping'))
		.groupBy('board_type')
		.orderBy('board_type')
		.execute();
}

export type TypeSummary = Awaited<ReturnType<typeof summarizeBoardTypes>>[number];

function countWhere(condition: RawBuilder<unknown>) {
	return sql<number>`cast(sum(case when ${condition} then 1 else 0 end) as bigint)`;
}
