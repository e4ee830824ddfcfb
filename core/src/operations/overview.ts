// What the operator sees of boards, agents, queue and failures.
import { clockOf, timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { Db, FailureRow } from '../database/schema.ts';

export type Overview = Awaited<ReturnType<typeof readOverview>>;

export const failureDays = 7;

/** All of it, one query after the other, on the connection for long reads. */
export async function readOverview({ reader, query }: Database) {
	return {
		time: clockOf(query).now(),
		agents: await listAgentDetails(reader),
		queue: await listQueue(reader),
		failedLeases: await countFailedLeases(reader),
		...(await readFailures(reader)),
	};
}

/** The agents with the number of their boards, those that are away first. */
export async function listAgentDetails(db: Db) {
	const agents = await db
		.selectFrom('agents')
		.select(['id', 'name', 'hint', 'version', 'host', 'started_at'])
		.select(({ selectFrom }) => [
			'connection_id',
			'last_seen_at',
			selectFrom('boards')
				.select(({ fn }) => fn.countAll<number>().as('boards'))
				.whereRef('agent_id', '=', 'agents.id')
				.as('boards'),
		])
		.where('revoked_at', 'is', null)
		.orderBy('name')
		.orderBy('id')
		.execute();
	return agents.sort((a, b) => Number(a.connection_id !== null) - Number(b.connection_id !== null));
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
		.where('status', '=', 'queued')
		.groupBy('board_type')
		.orderBy('waiting', 'desc')
		.orderBy('board_type')
		.execute();
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

function failuresOfDays(db: Db, days: number) {
	return db
		.selectFrom('failures')
		.where('failures.created_at', '>', timeIn(db, -days * dayMilliseconds));
}

async function countFailedLeases(db: Db) {
	const { leases } = await failuresOfDays(db, 1)
		.select(({ fn }) => fn.count<number>('lease_id').distinct().as('leases'))
		.executeTakeFirstOrThrow();
	return leases;
}

/** The failures of a week, by their causes and by their boards, the most frequent first. */
async function readFailures(db: Db) {
	const rows = await failuresOfDays(db, failureDays)
		.leftJoin('boards', 'boards.id', 'failures.board_id')
		.leftJoin('agents', 'agents.id', 'failures.agent_id')
		.select(['cause', 'failures.board_id', 'boards.name', 'agents.name as agent'])
		.select(({ fn }) => fn.countAll<number>().as('failures'))
		.groupBy(['cause', 'failures.board_id', 'boards.name', 'agents.name'])
		.orderBy('failures', 'desc')
		.orderBy('failures.board_id')
		.execute();
	return {
		causes: addUp(Map.groupBy(rows, ({ cause }) => cause)),
		/** Each with its most frequent cause. */
		failingBoards: addUp(Map.groupBy(rows, ({ board_id }) => board_id)),
	};
}

type Failures = Pick<FailureRow, 'cause' | 'board_id'> & {
	name: string | null;
	agent: string | null;
	failures: number;
};

/** Each group with the sum of its failures and the names of its agents. */
function addUp(groups: ReadonlyMap<string, Failures[]>) {
	return [...groups.values()]
		.flatMap((group) => {
			const failures = group.reduce((sum, row) => sum + row.failures, 0);
			const agents = [...new Set(group.flatMap(({ agent }) => agent ?? []))];
			return group[0] ? { ...group[0], failures, agents } : [];
		})
		.sort((one, other) => other.failures - one.failures);
}
