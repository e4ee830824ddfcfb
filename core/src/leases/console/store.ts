// Console bytes of leases: appended at an offset, the oldest dropped, read from any offset on.
import { sql } from 'kysely';
import { clockOf } from '../../database/clock.ts';
import { locking } from '../../database/locks.ts';
import type { ConsoleRow, Db, Owned } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import { findDrivenLease } from '../requirements.ts';
import type { ConsoleTime } from './recent.ts';

type Direction = ConsoleRow['direction'];

// Dropped in steps, so that a full console does not delete rows on every append.
const limits = {
	output: { kept: 1024 * 1024, step: 64 * 1024 },
	// More than can wait, so that a repeated request can be compared with what it wrote.
	input: { kept: 128 * 1024, step: 16 * 1024 },
} as const;

/** The most input that waits for the agent, and the most with which a colleague may add to it: the holder has room. */
const maxUntaken = { holder: 64 * 1024, colleague: 4 * 1024 };

/** The most bytes that are read at once, which is all that a reader holds who stops reading. */
export const maxRead = 48 * 1024;
const rowsAtOnce = 64;

interface Input extends Owned {
	data: Buffer;
	/** Where the writer takes the end of the input to be; at its end if undefined. */
	offset?: number | undefined;
	/** By which its writer tells it from the same bytes of another one. */
	piece?: string | undefined;
	by: keyof typeof maxUntaken;
}

/** Appends what the user typed, for the agent to write to the board, and returns the next offset. */
export function appendInput(
	query: Db,
	input: Input,
): Promise<{ next: number; board_id: string | null }> {
	return inTransaction(query, async (db) => {
		const expected = await typeExpected(db, input);
		if (!expected) return typeOnce(db, input);
		const { start: offset, next, board_id } = expected;
		await makeRoom(db, { leaseId: input.id, direction: 'input', offset, data: input.data });
		return { next, board_id };
	});
}

/** Appends unless the lease, its board, the offset or earlier input are in the way. */
async function typeExpected(db: Db, { id, accountId, data, offset, piece, by }: Input) {
	const { length } = data;
	const lease = await db
		.updateTable('leases')
		.set((eb) => ({ input_end: eb('input_end', '+', length) }))
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.where('status', '=', 'active')
		.$if(offset !== undefined, (query) => query.where('input_end', '=', offset ?? 0))
		.where(sql<boolean>`input_end + ${length} - input_taken <= ${maxUntaken[by]}`)
		.where(({ exists, selectFrom }) =>
			exists(
				selectFrom('boards')
					.select('boards.id')
					.whereRef('boards.id', '=', 'leases.board_id')
					.where('agent_id', 'is not', null),
			),
		)
		.returning(['input_end as next', 'board_id'])
		.executeTakeFirst();
	if (!lease) return undefined;
	const start = lease.next - length;
	if (length > 0) {
		const chunk = { lease_id: id, direction: 'input', offset: start, data, piece } as const;
		const stored_at = clockOf(db).now();
		await db
			.insertInto('console_chunks')
			.values({ ...chunk, stored_at })
			.execute();
	}
	return { ...lease, start };
}

/** Appends what is not stored yet, or says what is in the way. */
async function typeOnce(db: Db, input: Input): ReturnType<typeof appendInput> {
	const { id, data } = input;
	const { board_id } = await findDrivenLease(db, input);
	const { end, taken } = await lockInput(db, id);
	const { offset = end } = input;
	if (offset < end && (await isStored(db, { ...input, offset }))) {
		return { next: offset + data.length, board_id };
	}
	if (offset !== end) throw gap(end);
	if (end + data.length - taken > maxUntaken[input.by]) throw inputFull(end - taken);
	return appendInput(db, { ...input, offset });
}

/** The end of the input of an active lease, and up to where its agent took it. Makes other writers wait. */
async function lockInput(db: Db, leaseId: string) {
	const lease = await db
		.selectFrom('leases')
		.select(['input_end as end', 'input_taken as taken'])
		.where('id', '=', leaseId)
		.where('status', '=', 'active')
		.$call(locking(db, 'leases'))
		.executeTakeFirst();
	if (!lease) throw new ApiError('lease_ended', 'The lease has ended.');
	return lease;
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

/** The first of the bytes that follow each other, from an offset or from the oldest kept byte on. */
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
	// Nothing but what is returned leaves the database.
	const data = sql<Buffer>`substr(data, cast(${skipped} as integer) + 1, cast(${size} as integer))`;
	const rows = await chunks
		.select([start.as('start'), data.as('data'), 'piece', 'stored_at'])
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
		if (next === null) return { offset: from, data: Buffer.alloc(0), piece: null, times: [] };
		return readConsole(db, { leaseId, direction, from: next });
	}
	const parts: Uint8Array[] = [];
	const times: ConsoleTime[] = [];
	let next = first.start;
	for (const { start, data, stored_at } of rows) {
		// After a chunk that is missing, the next read continues.
		if (start > next) break;
		parts.push(data);
		times.push([start, stored_at]);
		next += data.length;
	}
	return { offset: first.start, data: Buffer.concat(parts), piece: first.piece, times };
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

/** The error for bytes that do not follow those that are stored. */
export function gap(expected: number) {
	return new ApiError('console_gap', `The next offset is ${expected}.`, {
		param: String(expected),
	});
}

interface Appended {
	leaseId: string;
	direction: Direction;
	offset: number;
	data: Buffer;
}

/** Drops the oldest chunks of a console each time it has grown by a step. */
export async function makeRoom(db: Db, { leaseId, direction, offset, data }: Appended) {
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
