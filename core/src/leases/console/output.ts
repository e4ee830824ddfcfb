// Console output that agents report, and what else they say of a console.
import type { agentConsole } from 'board-access-contract';
import type * as z from 'zod/mini';
import { clockOf, timeIn } from '../../database/clock.ts';
import type { Db } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { checkFence, type FencedReport } from '../fence.ts';
import { appendChunk, gap } from './store.ts';

export interface OutputReport extends FencedReport {
	offset: number;
	data: Buffer;
	/** The offset up to which the agent has written input to the board. */
	input?: number | undefined;
	/** The last sync request that the agent has fulfilled. */
	synced?: number | undefined;
	state?: z.output<typeof agentConsole> | undefined;
}

/**
 * Appends output that is not stored yet, and stores what else the agent reports. Returns the next expected offset, and
 * whether the state of the console is new.
 */
export function appendOutput(query: Db, report: OutputReport) {
	const { leaseId, offset, data, input, synced, state } = report;
	return inTransaction(query, async (db) => {
		const lease = await checkFence(db, report);
		const start = lease.console_end;
		if (offset > start) throw gap(start);
		const added = data.subarray(start - offset);
		const next = start + added.length;
		const isNews = state !== undefined && (lease.console_change ?? -1) < state.change;
		await db
			.updateTable('leases')
			.set({
				console_end: next,
				input_taken: raised(lease.input_taken, input, lease.input_end),
				console_synced: raised(lease.console_synced, synced, lease.console_sync),
				...(isNews && stateColumns(state, next, timeIn(db))),
				...(isNews && { halted_by: await whoHalts(db, state.halted_by) }),
			})
			.where('id', '=', leaseId)
			.execute();
		const stored_at = clockOf(db).now();
		const chunk = { lease_id: leaseId, direction: 'output', offset: start, stored_at } as const;
		await appendChunk(db, { ...chunk, data: added, piece: null });
		return { next, isNews, added: added.length };
	});
}

/** The email address of whoever has the channel. */
async function whoHalts(db: Db, channelId: string | undefined) {
	if (channelId === undefined) return null;
	const user = db
		.selectFrom('channels')
		.innerJoin('accounts', 'accounts.id', 'account_id')
		.select('email')
		.where('channels.id', '=', channelId);
	return (await user.executeTakeFirst())?.email ?? null;
}

/** Ignores a reported count that is old or impossible. */
function raised(known: number, reported = known, max: number) {
	return reported > known && reported <= max ? reported : known;
}

/** `next` is the offset of the next output. */
function stateColumns(
	{ change, status, message, gap_ms }: z.output<typeof agentConsole>,
	next: number,
	now: string,
) {
	const isLost = status === 'disconnected';
	return {
		console_change: change,
		console_status: status,
		console_message: isLost ? message : null,
		console_lost_at: isLost ? now : null,
		...(gap_ms > 0 && { console_gap_offset: next, console_gap_ms: gap_ms }),
	};
}
