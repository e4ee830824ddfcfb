// Reads the waiting leases and the free boards that a plan needs.
import { type SelectQueryBuilder, sql } from 'kysely';
import { havingTag } from '../../boards/tags.ts';
import { timeIn } from '../../database/clock.ts';
import { jsonRows } from '../../database/postgres.ts';
import type { Db, LeaseRow, Schema } from '../../database/schema.ts';
import { byRank, type Plan, plan, type Suitable } from '../rules/order.ts';
import { isFree, preferredFirst, suiting } from './boards.ts';

/** How many leases are read at once. */
const chunk = 500;

/** A literal, so that the partial index of queued leases can be used. */
export const isQueued = sql<boolean>`status = 'queued'`;

const wanting = [
	'id',
	'account_id',
	'rank',
	'group_id',
	'same_tag',
	'board_type',
	'wanted_board_id',
	'wanted_tags',
	'requires_agent',
	'most_credits_per_minute',
] as const;

export type WaitingLease = Pick<LeaseRow, (typeof wanting)[number]>;

/**
 * Which waiting request for boards of these types gets which free boards now. `given` is a new one, which is not
 * stored yet. A group that waits for boards of several types connects their queues.
 */
export async function planOf(
	db: Db,
	types: readonly string[],
	given: readonly WaitingLease[] = [],
): Promise<Plan<WaitingLease, Suitable>> {
	const waiting = new Map(given.map((lease) => [lease.id, lease]));
	const free = new Map<string, Suitable>();
	for (let last: WaitingLease | undefined; ; ) {
		if (!(await hasFreeBoard(db, types))) return plan<WaitingLease, Suitable>([], []);
		const read = await waitingFor(db, types, last);
		const groups = await membersOf(db, read);
		const connected = new Set([...types, ...groups.map(({ board_type }) => board_type)]);
		if (connected.size > types.length) return planOf(db, [...connected], given);
		for (const lease of [...read, ...groups]) waiting.set(lease.id, lease);
		for (const board of await boardsFor(db, [...waiting.values()], 'free'))
			free.set(board.id, board);
		const planned = plan([...waiting.values()], [...free.values()]);
		const end = read.at(-1);
		if (!end || read.length < chunk) return planned;
		if (planned.found === free.size && given.every((one) => byRank(one, end) < 0)) return planned;
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

/** The next leases in the order, for boards of any of the types. */
async function waitingFor(db: Db, types: readonly string[], last: WaitingLease | undefined) {
	const read: WaitingLease[] = [];
	// Each type has an index of its own.
	for (const type of types) {
		const leases = selectWaiting(db)
			.where('board_type', '=', type)
			.$if(last !== undefined, (query) =>
				query.where(sql<boolean>`(rank, id) > (${last?.rank}, ${last?.id})`),
			)
			.$call(inOrder)
			.limit(chunk);
		read.push(...(await leases.execute()));
	}
	return read.toSorted(byRank).slice(0, chunk);
}

/** All leases of the groups of these leases. */
async function membersOf(db: Db, leases: readonly WaitingLease[]) {
	const groups = new Set(leases.flatMap(({ group_id }) => group_id ?? []));
	if (groups.size === 0) return [];
	return selectWaiting(db)
		.where('group_id', 'in', [...groups])
		.execute();
}

function selectWaiting(db: Db) {
	return db
		.selectFrom('leases')
		.select(wanting)
		.where(isQueued)
		.where('queued_until', '>', timeIn(db));
}

/** In the order of `byRank` in rules/order.ts. */
export function inOrder<Row>(leases: SelectQueryBuilder<Schema, 'leases', Row>) {
	return leases.orderBy('rank').orderBy('id');
}

async function hasFreeBoard(db: Db, types: readonly string[]) {
	const free = db.selectFrom('boards').select('id').where(isFree).where('board_type', 'in', types);
	return (await free.limit(1).executeTakeFirst()) !== undefined;
}

/** Boards for these leases, free or all: of each kind the cheapest, as many as leases, and those that a lease names. */
export async function boardsFor(
	db: Db,
	leases: readonly WaitingLease[],
	which: 'free' | 'all',
): Promise<Suitable[]> {
	const boards = db
		.selectFrom('boards')
		.select(['id', 'board_type', 'credits_per_minute', 'agent_id', 'tags'])
		.$if(which === 'free', (query) => query.where(isFree));
	const named = leases.flatMap(({ wanted_board_id: id }) => (id === null ? [] : { id }));
	// One parameter, because a statement cannot have one for each of many thousands of boards.
	const isNamed = sql<boolean>`id in (select entry.value ->> 'id' from ${jsonRows(db, named)} as entry)`;
	const found = named.length > 0 ? await boards.where(isNamed).execute() : [];
	for (const [kind] of Map.groupBy(leases.filter(isUnnamed), kindOf)) {
		const { same_tag, ...wanted }: Kind = JSON.parse(kind);
		const cheapest = boards.where(suiting(wanted)).$call(preferredFirst).limit(leases.length);
		// Of benches, all boards are compared.
		const onBenches = boards.where(suiting(wanted)).where(havingTag(same_tag ?? '', null));
		found.push(...(await (same_tag === null ? cheapest : onBenches).execute()));
	}
	return [...new Map(found.map((board) => [board.id, board])).values()];
}

type Kind = Pick<WaitingLease, 'board_type' | 'requires_agent' | 'wanted_tags' | 'same_tag'>;

const isUnnamed = ({ wanted_board_id }: WaitingLease) => wanted_board_id === null;

function kindOf({ board_type, requires_agent, wanted_tags, same_tag }: Kind) {
	return JSON.stringify({ board_type, requires_agent, wanted_tags, same_tag } satisfies Kind);
}

/** The positions of waiting leases: how many requests before them want a board of their types, and 1 is next. */
export async function queuePositions(db: Db, leases: readonly Pick<LeaseRow, 'id' | 'status'>[]) {
	const ids = leases.filter(({ status }) => status === 'queued').map(({ id }) => id);
	if (ids.length === 0) return new Map<string, number>();
	const { rows } = await sql<{ id: string; position: number }>`select id, case
			when group_id is null then (
				select count(distinct coalesce(group_id, id)) from leases as ahead
				where ahead.status = 'queued' and ahead.board_type = leases.board_type
					and (ahead.rank, ahead.id) <= (leases.rank, leases.id)
			) else 1 + (
				select count(distinct coalesce(group_id, id)) from leases as ahead
				where ahead.status = 'queued' and ahead.rank < leases.rank and ahead.board_type in (
					select board_type from leases as own where own.group_id = leases.group_id
				)
			) end as position
		from leases where id in (${sql.join(ids)}) and ${isQueued}`.execute(db);
	return new Map(rows.map(({ id, position }) => [id, Number(position)]));
}
