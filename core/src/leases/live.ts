// The live leases, which each process reads once a second: what is due, and what has changed without an announcement.
import { sql } from 'kysely';
import { boardChange, consoleChange, leaseChange } from '../announcements.ts';
import type { Db, LeaseRow } from '../database/schema.ts';

export interface LiveLease extends Pick<LeaseRow, 'id' | 'board_id' | 'status' | 'console_end'> {
	/** When the scheduler has to check the lease next. */
	due: string | null;
	/** Differs after each change that its holder or the agent waits for. */
	state: string;
}

const due = sql`case
	when status = 'queued' and queued_until <= coalesce(expires_at, queued_until) then queued_until
	when status = 'preparing' and preparation_expires_at <= coalesce(expires_at, preparation_expires_at)
		then preparation_expires_at
	else expires_at end`;

const state = sql`status || ' ' || coalesce(fence, 0) || ' ' || coalesce(expires_at, '') || ' '
	|| coalesce(console_change, 0) || ' ' || console_sync || ' ' || console_synced || ' ' || input_end || ' '
	|| action_changes`;

export async function readLive(db: Db) {
	const { rows } = await sql<LiveLease>`select id, board_id, status, console_end, ${due} as due,
		${state} as state from leases where status <> 'ended'`.execute(db);
	return rows;
}

/** Changes the states, so that whoever misses the announcement finds out, too. */
export function countChange(db: Db, leaseIds: readonly string[]) {
	const leases = db.updateTable('leases').where('id', 'in', leaseIds);
	return leases.set((eb) => ({ action_changes: eb('action_changes', '+', 1) })).execute();
}

/** The states, by the names under which changes are announced. */
export function statesOf(live: readonly LiveLease[]) {
	const states = new Map<string, string>();
	for (const { id, board_id, state, console_end } of live) {
		states.set(leaseChange(id), state);
		states.set(consoleChange(id), String(console_end));
		if (board_id !== null) states.set(boardChange(board_id), `${id} ${state}`);
	}
	return states;
}
