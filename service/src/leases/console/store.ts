// Console bytes of leases: appended at an offset, the oldest dropped, read from any offset on.
import type { agentConsole } from 'board-access-contract';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import type * as z from 'zod/mini';
import { timeIn } from '../../database/clock.ts';
import type { Database } from '../../database/database.ts';
import { onPostgres } from '../../database/postgres.ts';
import type { ConsoleRow, Db } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import { checkFence } from '../fence.ts';

type Direction = ConsoleRow['direction'];

export const maxConsoleReport = 64 * 1024;

// Dropped in steps, so that a full console does not delete rows on every append.
const limits = {
	output: { kept: 1024 * 1024, step: 64 * 1024 },
	// More than can wait, so that a repeated request can be compared with what it wrote.
	input: { kept: 128 * 1024, step: 16 * 1024 },
} as const;

/** The most input that waits for the agent. */
const mostUntaken = 64 * 1024;

/** The most bytes that are read at once, which is all that a reader holds who stops reading. */
const mostRead = 48 * 1024;
const rowsAtOnce = 64;

interface Report {
	agentId: string;
	leaseId: string;
	fence: number;
	offset: number;
	data: Buffer;
}

/** Appends what the agent read from the board, once, and returns the next expected offset. */
export async function appendOutput(database: Database, report: Report): Promise<number> {
	const { leaseId, offset, data } = report;
	if (database.pool && data.length > 0 && (await appendAtOnce(database.pool, report))) {
		await makeRoom(database.query, { leaseId, direction: 'output', offset, data });
		return offset + data.length;
	}
	return inTransaction(database.query, async (db) => {
		const { console_end } = await checkFence(db, report);
		if (offset > console_end) throw gap(console_end);
		const news = data.subarray(console_end - offset);
		if (news.length === 0) return console_end;
		const end = console_end + news.length;
		await db.updateTable('leases').set({ console_end: end }).where('id', '=', leaseId).execute();
		await insertChunk(db, { leaseId, direction: 'output', offset: console_end, data: news });
		return end;
	});
}

/**
 * Appends if the offset and the fence are the expected ones, in one statement with a plan that PostgreSQL
 * keeps: no other query is sent to it as often.
 */
async function appendAtOnce(pool: Pool, { agentId, leaseId, fence, offset, data }: Report) {
	const values = [offset + data.length, leaseId, fence, offset, agentId, data];
	const { rowCount } = await pool.query({ name: 'console append', text: appendText, values });
	return rowCount === 1;
}

const appendText = `with lease as (
		update leases set console_end = $1 where id = $2 and fence = $3 and console_end = $4
			and status in ('preparing', 'active')
			and board_id in (select id from boards where agent_id = $5 and fence = $3)
		returning id
	)
	insert into console_chunks (lease_id, direction, "offset", data)
	select id, 'output', $4::bigint, $6::bytea from lease`;

interface Input {
	leaseId: string;
	data: Buffer;
	/** Where the writer takes the end of the input to be; at its end if undefined. */
	offset?: number | undefined;
	/** By which its writer tells it from the same bytes of another one. */
	piece?: string | undefined;
}

/** Appends what the user typed, for the agent to write to the board, and returns the next offset. */
export function appendInput(query: Db, input: Input): Promise<number> {
	const { leaseId, data, piece } = input;
	return inTransaction(query, async (db) => {
		const { end, taken } = await lockInput(db, leaseId);
		const { offset = end } = input;
		if (offset < end && (await isStored(db, { leaseId, data, offset, piece }))) {
			return offset + data.length;
		}
		if (offset !== end) throw gap(end);
		if (data.length === 0) return end;
		const next = end + data.length;
		if (next - taken > mostUntaken) throw inputFull(end - taken);
		await db.updateTable('leases').set({ input_end: next }).where('id', '=', leaseId).execute();
		await insertChunk(db, { leaseId, direction: 'input', offset: end, data, piece });
		return next;
	});
}

/** The end of the input of an active lease, and up to where its agent took it. Makes other writers wait. */
async function lockInput(db: Db, leaseId: string) {
	const lease = await db
		.selectFrom('leases')
		.select(['input_end as end', 'input_taken as taken'])
		.where('id', '=', leaseId)
		.where('status', '=', 'active')
		.$if(onPostgres(db), (query) => query.forUpdate())
		.executeTakeFirst();
	if (!lease) throw new ApiError('lease_ended', 'The lease has ended.');
	return lease;
}

async function isStored(db: Db, { leaseId, data, offset, piece }: Input & { offset: number }) {
	const stored = await readConsole(db, { leaseId, direction: 'input', from: offset });
	if (stored.offset !== offset || stored.data.length === 0) throw notComparable(offset);
	if (!data.equals(stored.data.subarray(0, data.length))) return false;
	return piece === undefined || piece === stored.piece;
}

interface Confirmed {
	leaseId: string;
	fence: number;
	input: number;
	/** The last request for all output until then that the agent has fulfilled. */
	synced: number;
}

/** Stores what the agent confirms; what is old or impossible changes nothing. */
export async function confirmConsole(db: Db, { leaseId, fence, input, synced }: Confirmed) {
	const raised = (column: string, to: number, most: string) =>
		sql<number>`case when ${to} between ${sql.ref(column)} and ${sql.ref(most)}
			then ${to} else ${sql.ref(column)} end`;
	await db
		.updateTable('leases')
		.set({
			input_taken: raised('input_taken', input, 'input_end'),
			console_synced: raised('console_synced', synced, 'console_sync'),
		})
		.where('id', '=', leaseId)
		.where('fence', '=', fence)
		.execute();
}

interface ConsoleChange extends z.output<typeof agentConsole> {
	leaseId: string;
	fence: number;
	/** The offset of the output that comes next. */
	next: number;
}

/** Stores whether the console is connected, and returns whether the report is news. */
export async function changeConsole(
	db: Db,
	{ leaseId, fence, change, status, message, gap_ms, next }: ConsoleChange,
) {
	const isLost = status === 'disconnected';
	const changed = await db
		.updateTable('leases')
		.set({
			console_change: change,
			console_status: status,
			console_message: isLost ? message : null,
			console_lost_at: isLost ? timeIn(db) : null,
			...(gap_ms > 0 && { console_gap_offset: next, console_gap_ms: gap_ms }),
		})
		.where('id', '=', leaseId)
		.where('fence', '=', fence)
		.where('status', 'in', ['preparing', 'active'])
		.where(({ eb, or }) =>
			or([eb('console_change', 'is', null), eb('console_change', '<', change)]),
		)
		.returning('id')
		.executeTakeFirst();
	return changed !== undefined;
}

/** Names no offset, so that what may have been written already is not sent again. */
function notComparable(offset: number) {
	return new ApiError('console_gap', `The input at offset ${offset} is no longer kept.`, {
		hint: 'It cannot be compared, so it may have been written already. Look at the console first.',
	});
}

function inputFull(waiting: number) {
	return new ApiError('console_input_full', 'The board has not taken the earlier input yet.', {
		hint: `${waiting} bytes wait for the board. Send the input again in a moment.`,
	});
}

/** The first of the bytes that follow each other, from an offset or from the oldest kept byte on. */
export async function readConsole(
	db: Db,
	{ leaseId, direction, from }: { leaseId: string; direction: Direction; from: number },
): Promise<{ offset: number; data: Buffer; piece: string | null }> {
	const chunks = db
		.selectFrom('console_chunks')
		.where('lease_id', '=', leaseId)
		.where('direction', '=', direction);
	const end = from + mostRead;
	const start = sql<number>`case when "offset" < ${from} then ${from} else "offset" end`;
	const [skipped, size] = [sql`${start} - "offset"`, sql`${end} - ${start}`];
	// Nothing but what is returned leaves the database.
	const data = sql<Buffer>`substr(data, cast(${skipped} as integer) + 1, cast(${size} as integer))`;
	const rows = await chunks
		.select([start.as('start'), data.as('data'), 'piece'])
		// From the chunk on that the offset is in.
		.where(({ eb, fn, val }) => {
			const last = chunks.select(fn.max('offset').as('offset')).where('offset', '<=', from);
			return eb('offset', '>=', fn.coalesce(last, val(0)));
		})
		.where(sql`"offset" + length(data)`, '>', from)
		.where('offset', '<', end)
		.orderBy('offset')
		.limit(rowsAtOnce)
		.execute();
	const [first] = rows;
	if (!first) {
		const { next } = await chunks
			.select(({ fn }) => fn.min('offset').as('next'))
			.where('offset', '>', from)
			.executeTakeFirstOrThrow();
		if (next === null) return { offset: from, data: Buffer.alloc(0), piece: null };
		return readConsole(db, { leaseId, direction, from: next });
	}
	const parts: Uint8Array[] = [];
	let next = first.start;
	for (const { start, data } of rows) {
		// After a chunk that is missing, the next read continues.
		if (start > next) break;
		parts.push(data);
		next += data.length;
	}
	return { offset: first.start, data: Buffer.concat(parts), piece: first.piece };
}

/** Deletes the console of a lease, whose next board starts another. */
export async function clearConsole(db: Db, leaseId: string) {
	await db.deleteFrom('console_chunks').where('lease_id', '=', leaseId).execute();
	await db
		.updateTable('leases')
		.set({
			console_end: 0,
			console_sync: 0,
			console_synced: 0,
			console_change: null,
			console_status: null,
			console_message: null,
			console_lost_at: null,
			console_gap_offset: null,
			console_gap_ms: null,
			input_end: 0,
			input_taken: 0,
		})
		.where('id', '=', leaseId)
		.execute();
}

/**
 * Deletes the consoles of leases that ended before the given time, one by one: a single statement for
 * all of them could exceed the time limit for statements.
 */
export async function deleteOldConsoles(db: Db, endedBefore: string) {
	for (let last = ''; ; ) {
		const old = await db
			.selectFrom('console_chunks')
			.leftJoin('leases', 'leases.id', 'lease_id')
			.select('lease_id')
			.where('lease_id', '>', last)
			.where(({ eb, or }) => or([eb('leases.id', 'is', null), eb('ended_at', '<', endedBefore)]))
			.orderBy('lease_id')
			.limit(1)
			.executeTakeFirst();
		if (!old) return;
		last = old.lease_id;
		await db.deleteFrom('console_chunks').where('lease_id', '=', last).execute();
	}
}

function gap(expected: number) {
	return new ApiError('console_gap', `The next offset is ${expected}.`, {
		param: String(expected),
	});
}

interface Chunk {
	leaseId: string;
	direction: Direction;
	offset: number;
	data: Buffer;
	piece?: string | undefined;
}

async function insertChunk(db: Db, chunk: Chunk) {
	const { leaseId: lease_id, ...values } = chunk;
	await db
		.insertInto('console_chunks')
		.values({ lease_id, ...values })
		.execute();
	await makeRoom(db, chunk);
}

/** Drops the oldest chunks of a console each time it has grown by a step. */
async function makeRoom(db: Db, { leaseId, direction, offset, data }: Chunk) {
	const { kept, step } = limits[direction];
	const end = offset + data.length;
	if (Math.floor(end / step) === Math.floor(offset / step)) return;
	await db
		.deleteFrom('console_chunks')
		.where('lease_id', '=', leaseId)
		.where('direction', '=', direction)
		.where('offset', '<', end - kept + step)
		.execute();
}
