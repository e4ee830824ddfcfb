// The order in which queued leases are granted: the account that holds the fewest boards first,
// then age. An account that waits several times comes after others with its second lease.
import { boardStatuses } from 'board-access-contract';
import { type ExpressionBuilder, sql } from 'kysely';
import { timeIn } from '../../database/clock.ts';
import type { BoardRow, Db, LeaseRow, Schema } from '../../database/schema.ts';

/** Every queued lease with `turn`, by which it is compared before its age. */
function turns(db: Db) {
	return db
		.selectFrom('leases as queued')
		.leftJoin(
			(eb) =>
				eb
					.selectFrom('leases')
					.select(['account_id', ({ fn }) => fn.countAll<number>().as('boards')])
					.where('status', '<>', 'ended')
					.where('status', '<>', 'queued')
					// Does not count other leases, however many there are.
					.where('account_id', 'in', (eb) =>
						eb.selectFrom('leases').select('account_id').where('status', '=', 'queued'),
					)
					.groupBy('account_id')
					.as('held'),
			(join) => join.onRef('held.account_id', '=', 'queued.account_id'),
		)
		.selectAll('queued')
		.select(
			sql<number>`coalesce(held.boards, 0) + row_number() over (
				partition by queued.account_id order by queued.created_at, queued.id)`.as('turn'),
		)
		.where('queued.status', '=', 'queued');
}

/** The positions of queued leases in the queues of their board types; 1 is next. */
export async function queuePositions(db: Db, leases: readonly LeaseRow[]) {
	const queued = leases.filter(({ status }) => status === 'queued').map(({ id }) => id);
	if (queued.length === 0) return new Map<string, number>();
	const positions = db.selectFrom(turns(db).as('turns')).select([
		'id',
		sql<number>`row_number() over (
			partition by board_type order by turn, created_at, id)`.as('position'),
	]);
	const rows = await db
		.selectFrom(positions.as('positions'))
		.select(['id', 'position'])
		.where('id', 'in', queued)
		.execute();
	return new Map(rows.map(({ id, position }) => [id, Number(position)]));
}

/** The queued lease that is granted next, if there is a board for any. */
export function nextInQueue(db: Db): Promise<LeaseRow | undefined> {
	return db
		.selectFrom(turns(db).as('turns'))
		.selectAll()
		.where('queued_until', '>', timeIn(db))
		.where(hasFreeBoard('turns'))
		.orderBy('turn')
		.orderBy('created_at')
		.orderBy('id')
		.limit(1)
		.executeTakeFirst();
}

function hasFreeBoard(table: 'turns' | 'leases') {
	const lease = sql.table(table);
	return sql<boolean>`exists (
		select 1 from boards
		where boards.status = 'available'
			and boards.board_type = ${lease}.board_type
			and boards.credits_per_minute <= ${lease}.most_credits_per_minute
			and (${lease}.wanted_board_id is null or ${lease}.wanted_board_id = boards.id)
			and (${lease}.requires_agent = 0 or boards.agent_id is not null)
	)`;
}

export type Requirements = Pick<
	LeaseRow,
	'board_type' | 'wanted_board_id' | 'requires_agent' | 'most_credits_per_minute'
>;

/** The boards that the lease could have now: the cheapest first, then those with an agent first. */
export function freeBoards(db: Db, required: Requirements) {
	return db
		.selectFrom('boards')
		.selectAll()
		.where(isFreeFor(required))
		.orderBy('credits_per_minute')
		.orderBy(({ eb }) => eb('agent_id', 'is', null))
		.orderBy('id');
}

/** Gives the lease a board that was free for it, unless the board was taken or changed since. */
export function holdFor(
	db: Db,
	lease: Requirements & Pick<LeaseRow, 'id' | 'account_id'>,
	{ id }: Pick<BoardRow, 'id'>,
) {
	return db
		.updateTable('boards')
		.set(({ eb }) => ({
			lease_id: lease.id,
			lease_account_id: lease.account_id,
			fence: eb('fence', '+', 1),
			status: 'in_use',
			updated_at: timeIn(db),
		}))
		.where('id', '=', id)
		.where(isFreeFor(lease))
		.returningAll()
		.executeTakeFirst();
}

function isFreeFor(required: Requirements) {
	return ({ and, eb }: ExpressionBuilder<Schema, 'boards'>) =>
		and([
			eb('board_type', '=', required.board_type),
			eb('status', '=', 'available'),
			eb('credits_per_minute', '<=', required.most_credits_per_minute),
			...(required.requires_agent ? [eb('agent_id', 'is not', null)] : []),
			...(required.wanted_board_id === null ? [] : [eb('id', '=', required.wanted_board_id)]),
		]);
}

/** All prices of the boards of a type, found in the index without reading every board. */
export async function pricesOf(
	db: Db,
	boardType: string,
	requiresAgent = false,
): Promise<number[]> {
	const driven = requiresAgent ? sql`and agent_id is not null` : sql``;
	const cheapest = sql`select min(credits_per_minute) from boards where board_type = ${boardType} ${driven}`;
	const statuses = sql.join(boardStatuses.map((status) => sql`(${sql.lit(status)})`));
	const { rows } = await sql<{ price: number }>`
		with recursive statuses (status) as (values ${statuses}),
		prices (status, price) as (
			select status, (${cheapest} and boards.status = statuses.status) from statuses
			union all
			select status, (${cheapest} and boards.status = prices.status and credits_per_minute > price)
			from prices where price is not null
		)
		select distinct price from prices where price is not null`.execute(db);
	return rows.map(({ price }) => price);
}

export async function countWaiting(db: Db, { board_type }: Pick<BoardRow, 'board_type'>) {
	const { waiting } = await db
		.selectFrom('leases')
		.select(({ fn }) => fn.countAll().as('waiting'))
		.where('status', '=', 'queued')
		.where('board_type', '=', board_type)
		.where(hasFreeBoard('leases'))
		.executeTakeFirstOrThrow();
	return Number(waiting);
}
