// Reads the console of a lease as it grows, until the lease ends.
import type { Database } from '../../database/database.ts';
import type { LeaseRow } from '../../database/schema.ts';
import type { Wait, Wake } from '../../database/wake.ts';
import { consoleChange, leaseChange } from '../changes.ts';
import { readConsole } from './store.ts';

const quietMilliseconds = 15_000;

/** What a reader gets, in order. */
export type ConsoleEvent =
	| { kind: 'bytes'; offset: number; data: Buffer }
	/** Bytes that were dropped before they could be read; the next event is at the offset. */
	| { kind: 'dropped'; offset: number; bytes: number }
	/** Nothing for a while. */
	| { kind: 'quiet' }
	| { kind: 'end'; lease: Pick<LeaseRow, 'status' | 'end_reason' | 'end_message'> };

export interface Reading {
	database: Database;
	wake: Wake;
	leaseId: string;
	from: number;
}

/** Every event from an offset on. Returns without an `end` when another board starts a new console. */
export async function* consoleEvents(
	{ database, wake, leaseId, from: start }: Reading,
	signal: AbortSignal,
): AsyncGenerator<ConsoleEvent | Wait> {
	const watch = wake.watch([leaseChange(leaseId), consoleChange(leaseId)]);
	let from = start;
	let lastEvent = performance.now();
	try {
		while (!signal.aborted) {
			// Reads the lease before its bytes, so that none is missing when it has ended.
			const lease = await leaseState(database, leaseId);
			if (!lease || lease.console_end < from) return;
			for await (const chunk of chunksUntil(database, { leaseId, from, end: lease.console_end })) {
				if (signal.aborted) return;
				from = offsetAfter(chunk);
				lastEvent = performance.now();
				yield chunk;
			}
			if (lease.status === 'ended') return yield { kind: 'end', lease };
			const quietFor = performance.now() - lastEvent;
			if (quietFor > quietMilliseconds) {
				lastEvent = performance.now();
				yield { kind: 'quiet' };
			} else {
				yield () => watch.changed({ milliseconds: quietMilliseconds - quietFor + 1, signal });
			}
		}
	} finally {
		watch.close();
	}
}

type Chunk = Extract<ConsoleEvent, { offset: number }>;

interface Range {
	leaseId: string;
	from: number;
	end: number;
}

/** The output from one offset to another. */
export async function* chunksUntil(database: Database, { leaseId, from, end }: Range) {
	for (let next = from; next < end; ) {
		const chunk = await nextChunk(database, { leaseId, from: next, end });
		next = offsetAfter(chunk);
		yield chunk;
	}
}

export function offsetAfter(chunk: Chunk) {
	return chunk.offset + (chunk.kind === 'bytes' ? chunk.data.length : 0);
}

const tailBytes = 64 * 1024;
const longestLine = 4 * 1024;

/** Where the last 64 KiB of a console begin: at a line, or at a character if the line is long. */
export async function startOfTail(database: Database, { leaseId, end }: Omit<Range, 'from'>) {
	const from = Math.max(0, end - tailBytes);
	if (from === 0) return 0;
	const chunk = await nextChunk(database, { leaseId, from, end });
	if (chunk.kind === 'dropped') return chunk.offset;
	const line = chunk.data.subarray(0, longestLine).indexOf('\n') + 1;
	const character = chunk.data.findIndex((byte) => (byte & 0xc0) !== 0x80);
	return from + (line || Math.max(0, character));
}

/** The next bytes before an offset, or how many were dropped there. */
export async function nextChunk(
	{ query }: Database,
	{ leaseId, from, end }: Range,
): Promise<Chunk> {
	const reading = { leaseId, direction: 'output', from } as const;
	const { offset, data } = await readConsole(query, reading);
	// The chunks of a console are not kept when the database crashes, or after a day.
	if (data.length === 0) return { kind: 'dropped', offset: end, bytes: end - from };
	if (offset > from) return { kind: 'dropped', offset, bytes: offset - from };
	return { kind: 'bytes', offset, data };
}

function leaseState({ query }: Database, leaseId: string) {
	return query
		.selectFrom('leases')
		.select(['status', 'end_reason', 'end_message', 'console_end'])
		.where('id', '=', leaseId)
		.executeTakeFirst();
}
