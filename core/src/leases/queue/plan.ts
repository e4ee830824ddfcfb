// Reads the waiting leases and the free boards that a plan needs.
import { type SelectQueryBuilder, sql } from 'kysely';
import { timeIn } from '../../database/clock.ts';
import { jsonRows } from '../../database/postgres.ts';
import type { Db, LeaseRow, Schema } from '../../database/schema.ts';
import { byRank, plan, type Suitable } from '../rules/order.ts';
import { isFree, preferredFirst } from './boards.ts';

/** How many leases are read at once. */
const chunk = 500;

/** A literal, so that the partial index of queued leases can be used. */
export const isQueued = sql<boolean>`status = 'queued'`;

const wanting = [
	'id',
	'account_id',
	'rank',
	'board_type',
	'wanted_board_id',
	'requires_agent',
	'most_credits_per_minute',
] as const;

export type WaitingLease = Pick<LeaseRow, (typeof wanting)[number]>;

/** Which waiting lease of a type gets which free board now. `given` are new requests, which are not stored yet. */
export async function planOf(
	db: Db,
	type: string,
	given: readonly WaitingLease[] = [],
): Promise<Map<WaitingLease, Suitable>> {
	const waiting: WaitingLease[] = [...given];
	const free = new Map<string, Suitable>();
	for (let last: WaitingLease | undefined; ; ) {
		if (!(await hasFreeBoard(db, type))) return new Map();
		const read = await waitingFor(db, type, last);
		waiting.push(...read);
		for (const board of await freeFor(db, type, waiting)) free.set(board.id, board);
		const planned = plan(waiting, [...free.values()]);
		const end = read.at(-1);
		if (!end || read.length < chunk) return planned;
		if (planned.size === free.size && given.every((one) => byRank(one, end) < 0)) return planned;
		last = end;
	}
}

export async function isAwaited(db: Db, type: string) {
	const waiting = db
		.selectFrom('leases')
		.select('id')
		.where(isQueued)
		.where('board_type', '=', type);
	return (await waiting.limit(1).executeTakeFirst()) !== undefined;
}

function waitingFor(db: Db, type: string, last: WaitingLease | undefined) {
	return db
		.selectFrom('leases')
		.select(wanting)
		.where(isQueued)
		.where('board_type', '=', type)
		.where('queued_until', '>', timeIn(db))
		.$if(last !== undefined, (query) =>
			query.where(sql<boolean>`(rank, id) > (${last?.rank}, ${last?.id})`),
		)
		.$call(inOrder)
		.limit(chunk)
		.execute();
}

/** In the order of `byRank` in rules/order.ts. */
export function inOrder<Row>(leases: SelectQueryBuilder<Schema, 'leases', Row>) {
	return leases.orderBy('rank').orderBy('id');
}

async function hasFreeBoard(db: Db, type: string) {
	const free = db.selectFrom('boards').select('id').where(isFree).where('board_type', '=', type);
	return (await free.limit(1).executeTakeFirst()) !== undefined;
}

/** Free boards for these leases: the cheapest, as many as leases, and those that a lease names. */
async function freeFor(db: Db, type: string, leases: readonly WaitingLease[]) {
	const free = db
		.selectFrom('boards')
		.select(['id', 'board_type', 'credits_per_minute', 'agent_id'])
		.where(isFree)
		.where('board_type', '=', type);
	const cheapest = free.$call(preferredFirst).limit(leases.length);
	const wanted = leases.flatMap(({ wanted_board_id: id }) => (id === null ? [] : { id }));
	// One parameter, because a statement cannot have one for each of many thousands of boards.
	const isWanted = sql<boolean>`id in (select entry.value ->> 'id' from ${jsonRows(db, wanted)} as entry)`;
	const requiresAgent = leases.some(({ requires_agent }) => requires_agent === 1);
	return [
		...(await cheapest.execute()),
		...(requiresAgent ? await cheapest.where('agent_id', 'is not', null).execute() : []),
		...(wanted.length > 0 ? await free.where(isWanted).execute() : []),
	];
}

/** The positions of waiting leases in the queues of their types; 1 is next. */
export async function queuePositions(db: Db, leases: readonly Pick<LeaseRow, 'id' | 'status'>[]) {
	const ids = leases.filter(({ status }) => status === 'queued').map(({ id }) => id);
	if (ids.length === 0) return new Map<string, number>();
	const { rows } = await sql<{ id: string; position: number }>`select id, (
			select count(*) from leases as ahead
			where ahead.status = 'queued' and ahead.board_type = leases.board_type
				and (ahead.rank, ahead.id) <= (leases.rank, leases.id)
		) as position
		from leases where id in (${sql.join(ids)}) and ${isQueued}`.execute(db);
	return new Map(rows.map(({ id, position }) => [id, position]));
}
