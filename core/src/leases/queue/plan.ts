// Reads the waiting leases and the free boards that a plan needs.
import { type SelectQueryBuilder, sql } from 'kysely';
import { inService } from '../../boards/status.ts';
import { havingTag } from '../../boards/tags.ts';
import { timeIn } from '../../database/clock.ts';
import { jsonRows } from '../../database/postgres.ts';
import type { Db, LeaseRow, Owned, Schema } from '../../database/schema.ts';
import { byRank, type Plan, plan, type Suitable } from '../rules/order.ts';
import { groupOf, type Leases, leaseIn } from '../rules/state.ts';
import { isFree, preferredFirst, suiting } from './boards.ts';

/** How many leases are read at once. */
const chunk = 500;

/** A literal, so that the partial index of queued leases can be used. */
export const isQueued = sql<boolean>`leases.status = 'queued'`;

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
	wanted: readonly string[],
	given: readonly WaitingLease[] = [],
): Promise<Plan<WaitingLease, Suitable>> {
	if (!(await hasFree(db, wanted))) return { granted: [], found: 0 };
	const types = new Set(wanted);
	const waiting = new Map(given.map((lease) => [lease.id, lease]));
	for (let last: WaitingLease | undefined; ; ) {
		const read = await waitingFor(db, types, last);
		const members = await membersOf(db, read);
		for (const lease of [...read, ...members]) waiting.set(lease.id, lease);
		const others = members.filter(({ board_type }) => !types.has(board_type));
		if (others.length > 0) {
			// From the beginning of their queues, too.
			for (const { board_type } of others) types.add(board_type);
			last = undefined;
			continue;
		}
		const leases = [...waiting.values()];
		const inGroups = leases.filter(({ group_id }) => group_id !== null);
		const boards = await boardsFor(db, leases, 'free');
		const planned = plan(leases, boards, await boardsFor(db, inGroups, 'in service'));
		const end = read[chunk - 1];
		if (!end) return planned;
		const isBeforeEnd = given.every((one) => byRank(one, end) < 0);
		// Leases after this one can have nothing.
		if (isBeforeEnd && planned.found === (await countFree(db, [...types]))) return planned;
		last = end;
	}
}

/** Whether a board is free, which takes 1 ms where counting 100,000 of them takes 44. */
async function hasFree(db: Db, types: readonly string[]) {
	const free = db.selectFrom('boards').select('id').where(isFree).where('board_type', 'in', types);
	return (await free.limit(1).executeTakeFirst()) !== undefined;
}

/** How many boards are free. */
async function countFree(db: Db, types: readonly string[]) {
	const free = db.selectFrom('boards').select(({ fn }) => fn.countAll().as('boards'));
	const { boards } = await free
		.where(isFree)
		.where('board_type', 'in', types)
		.executeTakeFirstOrThrow();
	return Number(boards);
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
async function waitingFor(db: Db, types: ReadonlySet<string>, last: WaitingLease | undefined) {
	// Each type has an index of its own.
	const reading = [...types].map((type) =>
		selectWaiting(db)
			.where('board_type', '=', type)
			.$if(last !== undefined, (query) =>
				query.where(sql<boolean>`(rank, id) > (${last?.rank}, ${last?.id})`),
			)
			.$call(inOrder)
			.limit(chunk)
			.execute(),
	);
	return (await Promise.all(reading)).flat().toSorted(byRank).slice(0, chunk);
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

/** The leases of a group of the account, in the order of their roles. */
export async function findGroup(db: Db, { accountId, id }: Owned): Promise<LeaseRow[]> {
	const leases = await db
		.selectFrom('leases')
		.selectAll()
		.where('group_id', '=', id)
		.where('account_id', '=', accountId)
		.execute();
	return byRole(leases);
}

export function byRole(leases: readonly LeaseRow[]) {
	return leases.toSorted((one, other) => (`${one.role}` < `${other.role}` ? -1 : 1));
}

/** The leases that were requested with this one, and it; a lease without a group is alone. */
export async function findMembers(db: Db, lease: LeaseRow): Promise<LeaseRow[]> {
	const { account_id: accountId, group_id: id } = lease;
	return id === null ? [lease] : findGroup(db, { accountId, id });
}

/** Whether a lease and its group could have boards without the one that it has, if all in service were free. */
export async function hasOtherBoards(db: Db, leases: Leases, id: string) {
	const members = groupOf(leases, id);
	const own = leaseIn(leases, id)?.board_id;
	const boards = await boardsFor(db, members, 'in service');
	const others = boards.filter((board) => board.id !== own);
	return plan(members, others).granted.length > 0;
}

/**
 * Boards for these leases: of each kind the cheapest, one more than leases, and those that a lease names. Of benches,
 * all boards are compared.
 */
export async function boardsFor(
	db: Db,
	leases: readonly WaitingLease[],
	which: 'free' | 'in service' | 'all',
): Promise<Suitable[]> {
	const boards = db
		.selectFrom('boards')
		.select(['id', 'board_type', 'credits_per_minute', 'agent_id', 'tags'])
		.$if(which === 'free', (query) => query.where(isFree))
		.$if(which === 'in service', (query) => query.where('status', 'in', inService));
	const named = leases.flatMap(({ wanted_board_id: id }) => (id === null ? [] : { id }));
	// One parameter, because a statement cannot have one for each of many thousands of boards.
	const isNamed = sql<boolean>`id in (select entry.value ->> 'id' from ${jsonRows(db, named)} as entry)`;
	const kinds = [...Map.groupBy(leases.filter(isUnnamed), kindOf).keys()];
	const reading = kinds.map((kind) => {
		const { same_tag, ...wanted }: Kind = JSON.parse(kind);
		const suitable = boards.where(suiting(wanted));
		if (same_tag !== null) return suitable.where(havingTag(same_tag, null)).execute();
		const cheapest =
			which === 'free' ? suitable.$call(preferredFirst) : suitable.orderBy('credits_per_minute');
		return cheapest.limit(leases.length + 1).execute();
	});
	if (named.length > 0) reading.push(boards.where(isNamed).execute());
	const found = (await Promise.all(reading)).flat();
	return [...new Map(found.map((board) => [board.id, board])).values()];
}

type Kind = Pick<WaitingLease, 'board_type' | 'requires_agent' | 'wanted_tags' | 'same_tag'>;

const isUnnamed = ({ wanted_board_id }: WaitingLease) => wanted_board_id === null;

function kindOf({ board_type, requires_agent, wanted_tags, same_tag }: Kind) {
	return JSON.stringify({ board_type, requires_agent, wanted_tags, same_tag } satisfies Kind);
}

/**
 * The positions of waiting leases: how many requests before them, in the order of `requestsOf` in rules/order.ts, want a
 * board of their types, and 1 is next.
 */
export async function queuePositions(db: Db, leases: readonly Pick<LeaseRow, 'id' | 'status'>[]) {
	const ids = leases.filter(({ status }) => status === 'queued').map(({ id }) => id);
	if (ids.length === 0) return new Map<string, number>();
	const position = sql`select 1 + count(distinct coalesce(group_id, id)) from leases as ahead
		where ahead.status = 'queued' and ahead.rank <= leases.rank
			and (ahead.rank, coalesce(ahead.group_id, ahead.id)) < (leases.rank, coalesce(leases.group_id, leases.id))
			and ahead.board_type`;
	// With a list of one type, SQLite takes three times as long for a long queue: 23 ms with 10,000 leases.
	const { rows } = await sql<{ id: string; position: number }>`select id, case
			when group_id is null then (${position} = leases.board_type)
			else (${position} in (select board_type from leases as own where own.group_id = leases.group_id))
		end as position
		from leases where id in (${sql.join(ids)}) and ${isQueued}`.execute(db);
	return new Map(rows.map(({ id, position }) => [id, Number(position)]));
}
