// The status of a board follows from its row: what an administrator set, whether its agent drives
// it, and whether a lease holds it. Everything that changes one of these refreshes the status.
import { sql } from 'kysely';
import { timeIn } from '../database/clock.ts';
import { onPostgres } from '../database/postgres.ts';
import type { BoardRow, Db } from '../database/schema.ts';

/** What the status follows from, as SQL conditions: what its row says, unless a statement changes it. */
const conditions = {
	undriven: '(agent_id is not null and capabilities is null)',
	leased: 'lease_id is not null',
	resting: 'resting_until is not null',
};

/** The status by its order of precedence: maintenance, offline, in use, available. */
function columnsIf(changed: Partial<typeof conditions> = {}) {
	const { undriven, leased, resting } = { ...conditions, ...changed };
	const status = `case
		when base_status = 'maintenance' then 'maintenance'
		when base_status = 'offline' or ${undriven} then 'offline'
		when base_status = 'in_use' or ${leased} then 'in_use'
		when ${resting} then 'offline'
		else 'available' end`;
	const status_reason = `case
		when base_status = 'maintenance' then status_reason
		when ${undriven} then 'The agent of this board is not connected.'
		when not (${leased}) and ${resting} then rest_reason
		else '' end`;
	return {
		status,
		status_reason,
		differs: `(status <> ${status} or status_reason <> ${status_reason})`,
		isNew: `status <> ${status}`,
	};
}

/** The status with a change, and the time if it is another one. */
function columnsAt(time: string, changed: Partial<typeof conditions>) {
	const { status, status_reason, differs, isNew } = columnsIf(changed);
	return {
		status: sql.raw<BoardRow['status']>(status),
		status_reason: sql.raw<string>(status_reason),
		updated_at: sql<string>`case when ${sql.raw(differs)} then ${time} else updated_at end`,
		status_since: sql<string>`case when ${sql.raw(isNew)} then ${time} else status_since end`,
	};
}

const released = columnsIf({ leased: 'false' });

/** The columns of a board that no lease holds any more, in SQL with the time as `:now`. */
export const releasedStatus = `updated_at = case when ${released.differs} then :now else updated_at end,
	status_since = case when ${released.isNew} then :now else status_since end, status = ${released.status},
	status_reason = ${released.status_reason}`;

/** Refreshes the status of these boards; those that already have it are not written. */
export async function refreshBoards(db: Db, ids: readonly string[]) {
	if (ids.length === 0) return;
	await db
		.updateTable('boards')
		.set(columnsAt(timeIn(db), {}))
		.where('id', 'in', ids)
		.where(sql.raw<boolean>(columnsIf().differs))
		.execute();
}

/** Stores what an agent can do with these of its boards, or with all, and the status that follows. */
export async function setCapabilities(
	db: Db,
	agentId: string,
	{ ids, capabilities }: { ids?: readonly string[]; capabilities: string | null },
) {
	await db
		.updateTable('boards')
		.set({ capabilities, ...columnsAt(timeIn(db), { undriven: String(capabilities === null) }) })
		.where('agent_id', '=', agentId)
		.$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
		.execute();
}

/** Locks the boards of an agent in an order that all follow. */
export async function lockBoards(db: Db, agentId: string) {
	await db
		.selectFrom('boards')
		.select('id')
		.where('agent_id', '=', agentId)
		.orderBy('id')
		.$if(onPostgres(db), (query) => query.forNoKeyUpdate())
		.execute();
}

/** Has no board of the agent granted for a while. Leases that have one go on. */
export async function restBoards(
	db: Db,
	agentId: string,
	{ until, reason }: { until: string; reason: string },
) {
	const resting = await db
		.updateTable('boards')
		.set({ resting_until: until, rest_reason: reason })
		.where('agent_id', '=', agentId)
		.returning('id')
		.execute();
	const ids = resting.map(({ id }) => id);
	await refreshBoards(db, ids);
}

/** Has boards granted again whose rest is over. */
export async function endRests(db: Db, time: string) {
	await db
		.updateTable('boards')
		.set({ resting_until: null, rest_reason: null, ...columnsAt(time, { resting: 'false' }) })
		.where('resting_until', '<=', time)
		.execute();
}

/** Releases the board, unless another lease has it by now. */
export async function releaseBoard(
	db: Db,
	{ boardId, leaseId }: { boardId: string; leaseId: string },
) {
	await db
		.updateTable('boards')
		.set({
			lease_id: null,
			lease_account_id: null,
			...columnsAt(timeIn(db), { leased: 'false' }),
		})
		.where('id', '=', boardId)
		.where('lease_id', '=', leaseId)
		.execute();
}
