// The order in which queued leases of a type are granted: the account that holds the fewest boards first,
// then age. An account that waits several times comes after others with its second lease.
import { sql } from 'kysely';
import { timeIn } from '../../database/clock.ts';
import { onPostgres } from '../../database/postgres.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';

/** Has one replica grant leases of a type at a time, in PostgreSQL until its transaction ends. */
export async function lockQueue(db: Db, boardType: string) {
	if (!onPostgres(db)) return;
	await sql`select pg_advisory_xact_lock(hashtextextended(${boardType}, 0))`.execute(db);
}

export async function queuedTypes(db: Db) {
	const rows = await db
		.selectFrom('leases')
		.select('board_type')
		.distinct()
		.where(isQueued)
		.execute();
	return rows.map(({ board_type }) => board_type);
}

/** The queued lease of a type that is granted next, if there is a board for any. */
export function nextInQueue(db: Db, boardType: string): Promise<LeaseRow | undefined> {
	return db
		.selectFrom('leases')
		.selectAll()
		.where(isQueued)
		.where('board_type', '=', boardType)
		.where('queued_until', '>', timeIn(db))
		.where(anyFree(boardType))
		.where(sql.raw<boolean>(hasFreeBoard))
		.orderBy('turn')
		.orderBy('created_at')
		.orderBy('id')
		.limit(1)
		.executeTakeFirst();
}

/** Numbers the queued leases of an account again after its boards. Needs the lock of the account. */
export async function renumberQueue(db: Db, accountId: string) {
	await sql`update leases set turn = numbered.turn
		from (
			select id, row_number() over (order by created_at, id) + (
				select live_leases - queued_leases from accounts where id = ${accountId}
			) as turn
			from leases where account_id = ${accountId} and ${isQueued}
		) as numbered
		where leases.id = numbered.id and leases.turn is distinct from numbered.turn`.execute(db);
}

/** The positions of queued leases in the queues of their board types; 1 is next. */
export async function queuePositions(db: Db, leases: readonly LeaseRow[]) {
	const ids = leases.filter(({ status }) => status === 'queued').map(({ id }) => id);
	if (ids.length === 0) return new Map<string, number>();
	const { rows } = await sql<{ id: string; position: number }>`select id, (
			select count(*) from leases as ahead
			where ahead.status = 'queued' and ahead.board_type = leases.board_type
				and (ahead.turn, ahead.created_at, ahead.id) <= (leases.turn, leases.created_at, leases.id)
		) as position
		from leases where id in (${sql.join(ids)}) and ${isQueued}`.execute(db);
	return new Map(rows.map(({ id, position }) => [id, position]));
}

/** As text, so that the index of what is queued can be used whatever the values are. */
const isQueued = sql<boolean>`status = 'queued'`;

/** Checked once, this ends most searches of a long queue. */
const anyFree = (boardType: string) => sql<boolean>`exists (
	select 1 from boards where status || '' = 'available' and board_type = ${boardType}
)`;

const hasFreeBoard = `exists (
	select 1 from boards
	where boards.status || '' = 'available'
		and boards.board_type = leases.board_type
		and boards.credits_per_minute <= leases.most_credits_per_minute
		and (leases.wanted_board_id is null or leases.wanted_board_id = boards.id)
		and (leases.requires_agent = 0 or boards.agent_id is not null)
)`;

/** How many queued leases of a type could have a board now, as SQL. */
export const waitingForType = `(select count(*) from leases
	where leases.status = 'queued' and leases.board_type = :type and ${hasFreeBoard})`;
