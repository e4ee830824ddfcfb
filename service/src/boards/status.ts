// The status of a board follows from its row: what an administrator set, whether its agent drives
// it, and whether a lease holds it. Everything that changes one of these refreshes the status.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BoardRow, Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';

/** The status by its order of precedence: maintenance, offline, in use, available. */
function statusIf(undriven: RawBuilder<boolean>) {
	return {
		status: sql<BoardRow['status']>`case
			when base_status = 'maintenance' then 'maintenance'
			when base_status = 'offline' or ${undriven} then 'offline'
			when base_status = 'in_use' or lease_id is not null then 'in_use'
			else 'available' end`,
		status_reason: sql<string>`case
			when base_status = 'maintenance' then status_reason
			when ${undriven} then 'The agent of this board is not connected.'
			else '' end`,
	};
}

const { status, status_reason } = statusIf(sql`(agent_id is not null and capabilities is null)`);

/** Refreshes the status of these boards; those that already have it are not written. */
export async function refreshBoards(db: Kysely<Schema>, ids: readonly string[]) {
	if (ids.length === 0) return;
	await db
		.updateTable('boards')
		.set({ status, status_reason, updated_at: now() })
		.where('id', 'in', ids)
		.where(({ eb, or, ref }) =>
			or([eb(ref('status'), '<>', status), eb(ref('status_reason'), '<>', status_reason)]),
		)
		.execute();
}

/** Stores what an agent can do with these of its boards, and the status that follows, in one write. */
export async function setCapabilities(
	db: Kysely<Schema>,
	agentId: string,
	{ ids, capabilities }: { ids: readonly string[]; capabilities: string | null },
) {
	if (ids.length === 0) return;
	const next = statusIf(capabilities === null ? sql<boolean>`true` : sql<boolean>`false`);
	const updated_at = sql<string>`case
		when status <> ${next.status} or status_reason <> ${next.status_reason} then ${now()}
		else updated_at end`;
	await db
		.updateTable('boards')
		.set({ capabilities, ...next, updated_at })
		.where('id', 'in', ids)
		.where('agent_id', '=', agentId)
		.execute();
}

/** Grants the board to a lease if it is available; of several attempts, one succeeds. */
export function holdBoard(
	db: Kysely<Schema>,
	{ boardId, leaseId, accountId }: { boardId: string; leaseId: string; accountId: string },
) {
	return db
		.updateTable('boards')
		.set(({ eb }) => ({
			lease_id: leaseId,
			lease_account_id: accountId,
			fence: eb('fence', '+', 1),
			status: 'in_use',
			updated_at: now(),
		}))
		.where('id', '=', boardId)
		.where('status', '=', 'available')
		.returningAll()
		.executeTakeFirst();
}

/** Releases the board, unless another lease has it by now. */
export async function releaseBoard(
	db: Kysely<Schema>,
	{ boardId, leaseId }: { boardId: string; leaseId: string },
) {
	await db
		.updateTable('boards')
		.set({ lease_id: null, lease_account_id: null })
		.where('id', '=', boardId)
		.where('lease_id', '=', leaseId)
		.execute();
	await refreshBoards(db, [boardId]);
}
