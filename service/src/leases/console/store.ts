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

/** The most bytes of one append. */
export const maxConsoleReport = 64 * 1024;

// Dropped in steps, so that a full console does not delete rows on every append.
const limits = {
	output: { kept: 1024 * 1024, step: 64 * 1024 },
	// More than can wait, so that a repeated request can be compared with what it wrote.
	input: { kept: 128 * 1024, step: 16 * 1024 },
} as const;

/** The most input that waits for the agent. */
const mostUntaken = 64 * 1024;

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
	if (database.pool && data.length > 0 && (await appendAtOnce(database, database.pool, report))) {
		return offset + data.length;
	}
	return inTransaction(database.query, async (db) => {
		const { console_start: start, console_end } = await checkFence(db, report);
		if (offset > console_end) throw gap(console_end);
		const news = data.subarray(console_end - offset);
		if (news.length === 0) return console_end;
		const end = console_end + news.length;
		await db.updateTable('leases').set({ console_end: end }).where('id', '=', leaseId).execute();
		await insertPiece(db, { leaseId, direction: 'output', start, end, data: news });
		return end;
	});
}

/**
 * Appends if the offset and the fence are the expected ones, in one statement with a plan that PostgreSQL
 * keeps: no other query is sent to it as often.
 */
async function appendAtOnce(
	{ query }: Database,
	pool: Pool,
	{ agentId, leaseId, fence, offset, data }: Report,
) {
	const values = [offset + data.length, leaseId, fence, offset, agentId, data];
	const { rows } = await pool.query({ name: 'console append', text: appendText, values });
	const [lease]: { start: number; end: number }[] = rows;
	if (lease && needsRoom('output', lease)) {
		const console = { leaseId, direction: 'output', end: lease.end } as const;
		await query.transaction().execute((db) => makeRoom(db, console));
	}
	return lease !== undefined;
}

const appendText = `with lease as (
		update leases set console_end = $1 where id = $2 and fence = $3 and console_end = $4
			and status in ('preparing', 'active')
			and board_id in (select id from boards where agent_id = $5 and fence = $3)
		returning id, console_start, console_end
	), piece as (
		insert into console_chunks (lease_id, direction, "offset", data)
		select id, 'output', $4::bigint, $6::bytea from lease
	)
	select console_start as start, console_end as "end" from lease`;

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
		const { start, end, taken } = await lockInput(db, leaseId);
		const { offset = end } = input;
		if (offset < end && (await isStored(db, { leaseId, data, offset, piece }))) {
			return offset + data.length;
		}
		if (offset !== end) throw gap(end);
		if (data.length === 0) return end;
		const next = end + data.length;
		if (next - taken > mostUntaken) throw inputFull(end - taken);
		await db.updateTable('leases').set({ input_end: next }).where('id', '=', leaseId).execute();
		await insertPiece(db, { leaseId, direction: 'input', start, end: next, data, piece });
		return next;
	});
}

/** The limits of the input of an active lease. Makes other writers wait. */
async function lockInput(db: Db, leaseId: string) {
	const lease = await db
		.selectFrom('leases')
		.select(['input_start as start', 'input_end as end', 'input_taken as taken'])
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

/** Up to a few pieces that follow each other, from an offset or from the oldest kept byte on. */
export async function readConsole(
	db: Db,
	{ leaseId, direction, from }: { leaseId: string; direction: Direction; from: number },
) {
	const rows = await db
		.selectFrom('console_chunks')
		.select(['offset', 'data', 'piece'])
		.where('lease_id', '=', leaseId)
		.where('direction', '=', direction)
		// From the piece on that the offset is in.
		.where('offset', '>=', (eb) =>
			eb
				.selectFrom('console_chunks as before')
				.select(({ fn, val }) => fn.coalesce(fn.max('before.offset'), val(0)).as('offset'))
				.where('before.lease_id', '=', leaseId)
				.where('before.direction', '=', direction)
				.where('before.offset', '<=', from),
		)
		.orderBy('offset')
		.limit(rowsAtOnce)
		.execute();
	const pieces = rows.filter(({ offset, data }) => offset + data.length > from);
	const start = Math.max(from, pieces[0]?.offset ?? from);
	const parts: Uint8Array[] = [];
	let end = start;
	for (const { offset, data } of pieces) {
		// After a piece that is missing, the next read continues.
		if (offset > end) break;
		parts.push(data.subarray(end - offset));
		end = offset + data.length;
	}
	return { offset: start, data: Buffer.concat(parts), end, piece: pieces[0]?.piece };
}

/** Deletes the console of a lease, whose next board starts another. */
export async function clearConsole(db: Db, leaseId: string) {
	await db.deleteFrom('console_chunks').where('lease_id', '=', leaseId).execute();
	await db
		.updateTable('leases')
		.set({
			console_start: 0,
			console_end: 0,
			console_sync: 0,
			console_synced: 0,
			console_change: null,
			console_status: null,
			console_message: null,
			console_lost_at: null,
			console_gap_offset: null,
			console_gap_ms: null,
			input_start: 0,
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
export async function forgetOldConsoles(db: Db, endedBefore: string) {
	let id = await nextWithConsole(db, '');
	while (id !== null) {
		const kept = await db
			.selectFrom('leases')
			.select('id')
			.where('id', '=', id)
			.where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>=', endedBefore)]))
			.executeTakeFirst();
		if (!kept) await db.deleteFrom('console_chunks').where('lease_id', '=', id).execute();
		id = await nextWithConsole(db, id);
	}
}

async function nextWithConsole(db: Db, after: string) {
	const { id } = await db
		.selectFrom('console_chunks')
		.select(({ fn }) => fn.min<string | null>('lease_id').as('id'))
		.where('lease_id', '>', after)
		.executeTakeFirstOrThrow();
	return id;
}

function gap(expected: number) {
	return new ApiError('console_gap', `The next offset is ${expected}.`, {
		param: String(expected),
	});
}

interface Piece {
	leaseId: string;
	direction: Direction;
	/** The offset of the oldest kept byte, and of the byte after this piece. */
	start: number;
	end: number;
	data: Buffer;
	piece?: string | undefined;
}

async function insertPiece(db: Db, { leaseId, direction, start, end, data, piece }: Piece) {
	await db
		.insertInto('console_chunks')
		.values({ lease_id: leaseId, direction, offset: end - data.length, data, piece })
		.execute();
	if (needsRoom(direction, { start, end })) await makeRoom(db, { leaseId, direction, end });
}

function needsRoom(direction: Direction, { start, end }: Pick<Piece, 'start' | 'end'>) {
	return end - start > limits[direction].kept;
}

/** Drops the oldest pieces of a console that ends at this offset. */
async function makeRoom(
	db: Db,
	{ leaseId, direction, end }: Pick<Piece, 'leaseId' | 'direction' | 'end'>,
) {
	const { kept, step } = limits[direction];
	const from = end - kept + step;
	await db
		.deleteFrom('console_chunks')
		.where('lease_id', '=', leaseId)
		.where('direction', '=', direction)
		.where('offset', '<', from)
		.execute();
	const oldest = await db
		.selectFrom('console_chunks')
		.select(({ fn }) => fn.min('offset').as('offset'))
		.where('lease_id', '=', leaseId)
		.where('direction', '=', direction)
		.executeTakeFirstOrThrow();
	const column = direction === 'output' ? 'console_start' : 'input_start';
	await db
		.updateTable('leases')
		.set({ [column]: oldest.offset })
		.where('id', '=', leaseId)
		.execute();
}
