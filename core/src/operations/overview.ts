// What the operator sees of boards, agents, queue and failures.
import { sql } from 'kysely';
import { clockOf, timeIn, timestamp } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { BoardRow, Db } from '../database/schema.ts';
import { type Period, readUse } from './use.ts';

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** All of it, one query after the other, on the connection for long reads; `most`: rows of trouble. */
export async function readOverview({ reader, query }: Database, period: Period, most: number) {
	const counts = await countStates(reader);
	const boards = Map.groupBy(counts, ({ agent_id }) => agent_id);
	const fleet = await listFleet(reader);
	return {
		period,
		time: clockOf(query).now(),
		counts,
		// Those that are away first.
		agents: fleet
			.map((agent) => ({ ...agent, boards: sumOf(boards.get(agent.id) ?? []) }))
			.sort((a, b) => Number(a.connection_id !== null) - Number(b.connection_id !== null)),
		types: await countTypes(reader),
		queue: await listQueue(reader),
		use: await readUse(reader, period),
		causes: await countCauses(reader, period),
		trouble: await listTrouble(reader, period, most),
		/** Leases that failed within the last 24 hours, and within the 24 hours before. */
		failed: [
			await countFailedLeases(reader, { from: 24, until: 0 }),
			await countFailedLeases(reader, { from: 48, until: 24 }),
		] as const,
	};
}

function sumOf(counts: readonly { boards: number }[]) {
	return counts.reduce((sum, { boards }) => sum + boards, 0);
}

/** The status of a board, or that its last preparation has failed. */
type BoardState = BoardRow['status'] | 'failing';

const state = sql<BoardState>`case when failed_preparations > 0 and status = 'available' then 'failing'
	else status end`;

/** How many boards of each agent are in each state; boards without an agent are under null. */
async function countStates(db: Db) {
	// In the order of the index, without reading the boards themselves.
	const rows = await db
		.selectFrom('boards')
		.select(['agent_id', 'status', 'failed_preparations'])
		.select(({ fn }) => fn.countAll<number>().as('boards'))
		.groupBy(['agent_id', 'status', 'failed_preparations'])
		.execute();
	return rows.map(({ agent_id, status, failed_preparations, boards }) => {
		const isFailing = failed_preparations > 0 && status === 'available';
		return { agent_id, boards, state: isFailing ? ('failing' as const) : status };
	});
}

function listFleet(db: Db) {
	return db
		.selectFrom('agents')
		.select(['id', 'name', 'version', 'host', 'started_at', 'connection_id', 'last_seen_at'])
		.where('revoked_at', 'is', null)
		.orderBy('name')
		.orderBy('id')
		.execute();
}

/** How many boards of each type are in each state, the type with most boards first. */
async function countTypes(db: Db) {
	const rows = await db
		.selectFrom('boards')
		.select(['board_type', state.as('state')])
		.select(({ fn }) => fn.countAll<number>().as('boards'))
		.groupBy(['board_type', 'state'])
		.orderBy('board_type')
		.execute();
	return [...Map.groupBy(rows, ({ board_type }) => board_type)]
		.map(([board_type, states]) => ({
			board_type,
			boards: sumOf(states),
			states: new Map(states.map(({ state, boards }) => [state, boards])),
		}))
		.sort((one, other) => other.boards - one.boards);
}

/** The types that leases wait for, and when the first lease of each ends unless it is renewed. */
function listQueue(db: Db) {
	return db
		.selectFrom('leases')
		.select(({ fn, selectFrom }) => [
			'board_type',
			fn.countAll<number>().as('waiting'),
			fn.min('created_at').as('since'),
			selectFrom('boards')
				.innerJoin('leases as held', 'held.id', 'boards.lease_id')
				.select(({ fn }) => fn.min('held.expires_at').as('next'))
				.whereRef('boards.board_type', '=', 'leases.board_type')
				.as('next'),
		])
		.where('status', '=', sql.lit('queued'))
		.groupBy('board_type')
		.orderBy('waiting', 'desc')
		.orderBy('board_type')
		.execute();
}

const day = 24 * 60 * 60 * 1000;

function failuresIn(db: Db, { first, days }: Period) {
	return db
		.selectFrom('failures')
		.where('failures.created_at', '>=', timestamp(first * day))
		.where('failures.created_at', '<', timestamp((first + days) * day));
}

/** Each cause with its failures and the agents on which it happened, of both the most frequent first. */
async function countCauses(db: Db, period: Period) {
	const rows = await failuresIn(db, period)
		.leftJoin('agents', 'agents.id', 'failures.agent_id')
		.select(['cause', 'agents.name', ({ fn }) => fn.countAll<number>().as('failures')])
		.groupBy(['cause', 'agents.name'])
		.orderBy('failures', 'desc')
		.orderBy('agents.name')
		.execute();
	const causes = [...Map.groupBy(rows, ({ cause }) => cause)].map(([cause, ofCause]) => ({
		cause,
		failures: ofCause.reduce((sum, { failures }) => sum + failures, 0),
		agents: ofCause.flatMap(({ name }) => name ?? []),
	}));
	return causes.sort((one, other) => other.failures - one.failures);
}

/** The boards with most failures, and their failures day by day. */
async function listTrouble(db: Db, period: Period, most: number) {
	const worst = await failuresIn(db, period)
		.leftJoin('boards', 'boards.id', 'failures.board_id')
		.leftJoin('agents', 'agents.id', 'boards.agent_id')
		.select(({ fn }) => [
			'board_id',
			'boards.name',
			'agents.name as agent',
			fn.countAll<number>().as('failures'),
		])
		.groupBy(['board_id', 'boards.name', 'agents.name'])
		.orderBy('failures', 'desc')
		.orderBy('board_id')
		.limit(most)
		.execute();
	if (worst.length === 0) return [];
	const date = sql<string>`substr(created_at, 1, 10)`;
	const days = await failuresIn(db, period)
		.select(['board_id', 'cause', date.as('date')])
		.select(({ fn }) => [fn.countAll<number>().as('failures'), fn.max('created_at').as('last')])
		.where(
			'board_id',
			'in',
			worst.map(({ board_id }) => board_id),
		)
		.groupBy(['board_id', 'cause', date])
		.orderBy('last')
		.execute();
	const ofBoard = Map.groupBy(days, ({ board_id }) => board_id);
	return worst.map((board) => ({ ...board, days: ofBoard.get(board.board_id) ?? [] }));
}

/** How many leases have failed within these hours before now. */
async function countFailedLeases(db: Db, { from, until }: Record<'from' | 'until', number>) {
	const { failed } = await db
		.selectFrom('failures')
		.select(({ fn }) => fn.count<number>('lease_id').distinct().as('failed'))
		.where('created_at', '>', timeIn(db, -from * 60 * 60 * 1000))
		.where('created_at', '<=', timeIn(db, -until * 60 * 60 * 1000))
		.executeTakeFirstOrThrow();
	return failed;
}
