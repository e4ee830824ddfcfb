// Console output that agents report, and what else they say of a console.
import type { agentConsole } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { timeIn } from '../../database/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Db } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { checkFence, fenceOutdated } from '../fence.ts';
import { addRecent } from './recent.ts';
import { gap, makeRoom } from './store.ts';

export interface OutputReport {
	agentId: string;
	leaseId: string;
	fence: number;
	offset: number;
	data: Buffer;
	/** Up to where the agent has written the input to the board; what is old or impossible changes nothing. */
	input?: number | undefined;
	/** The last request for all output until then that the agent has fulfilled; as `input`. */
	synced?: number | undefined;
	state?: z.output<typeof agentConsole> | undefined;
}

interface TimedReport extends OutputReport {
	/** In milliseconds since 1970. */
	time: number;
}

/**
 * Appends what the agent read from the board, once, and stores what else it reports. Returns the next expected
 * offset, and whether the state of the console is news.
 */
export async function appendOutput(database: Database, reported: OutputReport) {
	const { leaseId, fence, offset, data, state } = reported;
	const time = database.clock.now();
	const report = { ...reported, time };
	const isStored = state === undefined && (await append(database.query, report));
	const { start, ...stored } = isStored
		? { start: offset, next: offset + data.length, isNews: false }
		: await appendNews(database.query, report);
	addRecent(database, { leaseId, fence, offset: start, data: data.subarray(start - offset), time });
	return stored;
}

/** Whether the offset and the fence were the expected ones: then the output is stored. */
function append(query: Db, report: TimedReport) {
	const { leaseId: lease_id, offset, data, time: stored_at } = report;
	return inTransaction(query, async (db) => {
		if (!(await moveEnd(db, report))) return false;
		if (data.length > 0) {
			const chunk = { lease_id, direction: 'output', offset, data, stored_at } as const;
			await db.insertInto('console_chunks').values(chunk).execute();
		}
		await makeRoom(db, { ...report, direction: 'output' });
		return true;
	});
}

/** If others change the lease first, PostgreSQL compares with what its row is then, but not what a subquery had read of it. */
async function moveEnd(db: Db, { leaseId, offset, data, input, synced, ...fenced }: TimedReport) {
	const { numUpdatedRows } = await db
		.updateTable('leases')
		.set({ console_end: offset + data.length })
		.$if(input !== undefined, (query) => query.set(raised('input_taken', input, 'input_end')))
		.$if(synced !== undefined, (query) =>
			query.set(raised('console_synced', synced, 'console_sync')),
		)
		.where('id', '=', leaseId)
		.where('console_end', '=', offset)
		.where('fence', '=', fenced.fence)
		.where('status', 'in', ['preparing', 'active'])
		.where(({ exists, selectFrom }) =>
			exists(
				selectFrom('boards')
					.select('boards.id')
					.whereRef('boards.id', '=', 'leases.board_id')
					.where('agent_id', '=', fenced.agentId)
					.where('boards.fence', '=', fenced.fence),
			),
		)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Sets a count to what the agent says, unless that is old or impossible. */
function raised(
	column: 'input_taken' | 'console_synced',
	value: number | undefined,
	limit: 'input_end' | 'console_sync',
) {
	const [name, most] = [sql.ref(column), sql.ref(limit)];
	const raise = sql<number>`case when ${value} between ${name} and ${most} then ${value} else ${name} end`;
	return { [column]: raise } as { [name in typeof column]?: typeof raise };
}

/** Appends what is not stored yet, and returns where it begins. */
function appendNews(query: Db, report: TimedReport) {
	const { leaseId, offset, data, state } = report;
	return inTransaction(query, async (db) => {
		const { console_end: start, console_change } = await checkFence(db, report);
		if (offset > start) throw gap(start);
		const news = data.subarray(start - offset);
		const next = start + news.length;
		if (!(await append(db, { ...report, offset: start, data: news }))) throw fenceOutdated();
		const isNews = state !== undefined && (console_change ?? -1) < state.change;
		if (isNews) {
			const columns = stateColumns(db, state, next);
			await db.updateTable('leases').set(columns).where('id', '=', leaseId).execute();
		}
		return { start, next, isNews };
	});
}

/** `next` is the offset of the output that comes next. */
function stateColumns(
	db: Db,
	{ change, status, message, gap_ms }: z.output<typeof agentConsole>,
	next: number,
) {
	const isLost = status === 'disconnected';
	return {
		console_change: change,
		console_status: status,
		console_message: isLost ? message : null,
		console_lost_at: isLost ? timeIn(db) : null,
		...(gap_ms > 0 && { console_gap_offset: next, console_gap_ms: gap_ms }),
	};
}
