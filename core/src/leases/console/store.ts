// The console bytes of leases: appended at an offset, read from any offset. The oldest are dropped.
import { sql } from 'kysely';
import { clockOf } from '../../database/clock.ts';
import type { ConsoleRow, Db } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { lockRow } from '../lock.ts';
import { requireActive, requireDriven } from '../requirements.ts';

type Direction = ConsoleRow['direction'];

/** An offset, and when the output from there on was stored, in milliseconds since 1970. */
export type ConsoleTime = [offset: number, time: number];

// Bytes are dropped in steps, so that a full console does not delete rows on every append.
const limits = {
	output: { kept: 1024 * 1024, step: 64 * 1024 },
	// More than may wait, so that a repeated request can be compared with what it wrote.
	input: { kept: 128 * 1024, step: 16 * 1024 },
} as const;

/** How many bytes may wait for the agent. A colleague leaves room for the holder. */
const maxWaiting = { holder: 64 * 1024, colleague: 4 * 1024 };

/** Bytes that are read at once. A client that stops reading holds no more than this. */
const maxRead = 48 * 1024;
const rowsAtOnce = 64;

interface Input {
	/** Of the lease. */
	id: string;
	data: Buffer;
	/** Where the input belongs; by default, at the end of the earlier input. */
	offset?: number | undefined;
	/** A random name that tells a repeated request from another one with the same bytes. */
	piece?: string | undefined;
	by: keyof typeof maxWaiting;
}

/** Appends input for the board, unless an earlier attempt has, and returns the next offset. Needs a transaction. */
export async function appendInput(db: Db, input: Input) {
	const { id, data, piece = null, by } = input;
	const lease = await lockRow(db, id);
	requireActive(lease);
	await requireDriven(db, id);
	const { board_id, input_end: end, input_taken: taken } = lease;
	const { offset = end } = input;
	const next = offset + data.length;
	if (offset < end && (await isStored(db, { ...input, offset })))
		return { next, board_id, added: 0 };
	if (offset !== end) throw gap(end);
	if (next - taken > maxWaiting[by]) throw inputFull(end - taken);
	await db.updateTable('leases').set({ input_end: next }).where('id', '=', id).execute();
	const stored_at = clockOf(db).now();
	await appendChunk(db, { lease_id: id, direction: 'input', offset, data, piece, stored_at });
	return { next, board_id, added: data.length };
}

async function isStored(db: Db, { id: leaseId, data, offset, piece }: Input & { offset: number }) {
	const stored = await readConsole(db, { leaseId, direction: 'input', from: offset });
	if (stored.offset !== offset || stored.data.length === 0) throw notComparable(offset);
	if (!data.equals(stored.data.subarray(0, data.length))) return false;
	return piece === undefined || piece === stored.piece;
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

/** Bytes without a gap, from the offset on or, if it was dropped, from the next byte that is kept. */
export async function readConsole(
	db: Db,
	{ leaseId, direction, from }: { leaseId: string; direction: Direction; from: number },
): Promise<{ offset: number; data: Buffer; piece: string | null; times: ConsoleTime[] }> {
	const chunks = db
		.selectFrom('console_chunks')
		.where('lease_id', '=', leaseId)
		.where('direction', '=', direction);
	const end = from + maxRead;
	const start = sql<number>`case when "offset" < ${from} then ${from} else "offset" end`;
	const [skipped, size] = [sql`${start} - "offset"`, sql`${end} - ${start}`];
	// Cuts the chunks in the database, so that it sends no more than is returned.
	const data = sql<Buffer>`substr(data, cast(${skipped} as integer) + 1, cast(${size} as integer))`;
	const rows = await chunks
		.select([start.as('start'), data.as('data'), 'piece', 'stored_at'])
		// Begins with the chunk that contains the offset.
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
		if (next === null) return { offset: from, data: Buffer.alloc(0), piece: null, times: [] };
		return readConsole(db, { leaseId, direction, from: next });
	}
	const parts: Uint8Array[] = [];
	const times: ConsoleTime[] = [];
	let next = first.start;
	for (const { start, data, stored_at } of rows) {
		// The next read continues after the gap.
		if (start > next) break;
		parts.push(data);
		times.push([start, stored_at]);
		next += data.length;
	}
	return { offset: first.start, data: Buffer.concat(parts), piece: first.piece, times };
}

/** Deletes the consoles of leases that ended before this time, one by one: one statement for all could take too long. */
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

/** The error for bytes that do not follow the stored ones. */
export function gap(expected: number) {
	return new ApiError('console_gap', `The next offset is ${expected}.`, {
		param: String(expected),
	});
}

/** Appends bytes, and drops the oldest chunks each time the console has grown by a step. */
export async function appendChunk(db: Db, chunk: ConsoleRow) {
	const { lease_id, direction, offset, data } = chunk;
	if (data.length === 0) return;
	await db.insertInto('console_chunks').values(chunk).execute();
	const { kept, step } = limits[direction];
	const end = offset + data.length;
	if (Math.floor(end / step) === Math.floor(offset / step)) return;
	await db
		.deleteFrom('console_chunks')
		.where('lease_id', '=', lease_id)
		.where('direction', '=', direction)
		.where('offset', '<', end - kept + step)
		.execute();
}
