// Reads the console of a lease as it grows, until the lease ends.

import { consoleChange, leaseChange } from '../../announcements.ts';
import type { Core } from '../../core.ts';
import type { Database } from '../../database/database.ts';
import type { LeaseRow } from '../../database/schema.ts';
import type { Wait } from '../../database/wake.ts';
import { requireDriven, requireGranted } from '../requirements.ts';
import type { Accessible } from '../sharing/access.ts';
import { type ConsoleTime, keepRecent, recentFrom } from './recent.ts';
import { maxRead, readConsole } from './store.ts';

const quietMilliseconds = 15_000;

/** What a reader gets, in order. */
export type ConsoleEvent =
	| { kind: 'bytes'; offset: number; next: number; data: Buffer; times: ConsoleTime[] }
	/** Bytes that were dropped before they could be read. */
	| { kind: 'dropped'; offset: number; next: number; bytes: number }
	/** Nothing for a while. */
	| { kind: 'quiet' }
	| { kind: 'end'; lease: Pick<LeaseRow, 'status' | 'end_reason' | 'end_message'> };

/** Where a reader of a console is, and where the console ended then. */
interface ConsolePlace {
	leaseId: string;
	/** Of the board whose console it is. */
	fence: number | null;
	from: number;
	end: number;
}

/** Where one begins to read the console of a lease that has a board with an agent. */
export async function openConsole(
	{ database }: Core,
	{ lease }: Accessible,
	from: number,
): Promise<ConsolePlace> {
	requireGranted(lease);
	await requireDriven(database.query, lease.id);
	const { id: leaseId, fence, console_end: end } = lease;
	return { leaseId, fence, from: Math.min(from, end), end };
}

/** Every event from an offset on. Returns without an `end` when another board starts a new console. */
export async function* consoleEvents(
	{ database, wake }: Core,
	{ leaseId, ...start }: Omit<ConsolePlace, 'end'>,
	signal: AbortSignal,
): AsyncGenerator<ConsoleEvent | Wait> {
	const watch = wake.watch([leaseChange(leaseId), consoleChange(leaseId)]);
	const forget = keepRecent(database, leaseId);
	let { fence, from } = start;
	let isOutput = false;
	let lastEvent = performance.now();
	try {
		while (!signal.aborted) {
			const recent = isOutput ? recentFrom(database, { leaseId, fence, from }) : undefined;
			// Reads the lease before its bytes, so that none is missing when it has ended.
			const lease = recent ? undefined : await leaseState(database, leaseId);
			if (!recent && (!lease || isOtherConsole(lease, { fence, from }))) return;
			fence = lease?.fence ?? fence;
			const end = lease?.console_end ?? from + (recent?.data.length ?? 0);
			for await (const chunk of chunksUntil(database, { leaseId, fence, from, end })) {
				if (signal.aborted) return;
				from = chunk.next;
				lastEvent = performance.now();
				yield chunk;
			}
			if (lease?.status === 'ended') return yield { kind: 'end', lease };
			const quietFor = performance.now() - lastEvent;
			if (quietFor > quietMilliseconds) {
				lastEvent = performance.now();
				yield { kind: 'quiet' };
			} else {
				const milliseconds = quietMilliseconds - quietFor + 1;
				yield async () => {
					const { names, elsewhere } = await watch.changed({ milliseconds, signal });
					isOutput = !elsewhere && names.size === 1 && names.has(consoleChange(leaseId));
				};
			}
		}
	} finally {
		forget();
		watch.close();
	}
}

function isOtherConsole(
	lease: Pick<LeaseRow, 'fence' | 'console_end'>,
	{ fence, from }: Pick<ConsolePlace, 'fence' | 'from'>,
) {
	return lease.console_end < from || (lease.fence !== fence && from > 0);
}

type Chunk = Extract<ConsoleEvent, { next: number }>;

interface Range {
	leaseId: string;
	fence?: number | null;
	from: number;
	end: number;
}

/** The output from one offset to another. */
export async function* chunksUntil(database: Database, { from, end, ...place }: Range) {
	for (let next = from; next < end; ) {
		const chunk = await nextChunk(database, { ...place, from: next, end });
		next = chunk.next;
		yield chunk;
	}
}

const tailBytes = 64 * 1024;
const maxLine = 4 * 1024;

/** Where the last 64 KiB of a console begin: at a line, or at a character if the line is long. */
export async function startOfTail(database: Database, { leaseId, end }: Omit<Range, 'from'>) {
	const from = Math.max(0, end - tailBytes);
	if (from === 0) return 0;
	const chunk = await nextChunk(database, { leaseId, from, end });
	if (chunk.kind === 'dropped') return chunk.next;
	const line = chunk.data.subarray(0, maxLine).indexOf('\n') + 1;
	const character = chunk.data.findIndex((byte) => (byte & 0xc0) !== 0x80);
	return from + (line || Math.max(0, character));
}

/** The bytes from one offset to another, without those that were dropped. */
export async function* consoleBytes(database: Database, range: Range) {
	for await (const chunk of chunksUntil(database, range)) {
		if (chunk.kind === 'bytes') yield chunk.data;
	}
}

/** The last 64 KiB of a console, and whether there is more before them. */
export async function readTail(database: Database, range: Omit<Range, 'from'>) {
	const from = await startOfTail(database, range);
	const bytes: Buffer[] = [];
	for await (const data of consoleBytes(database, { ...range, from })) bytes.push(data);
	return { text: Buffer.concat(bytes).toString(), isCut: from > 0 };
}

/** The next bytes before an offset, or how many were dropped there. */
export async function nextChunk(
	database: Database,
	{ leaseId, fence = null, from, end }: Range,
): Promise<Chunk> {
	const recent = recentFrom(database, { leaseId, fence, from });
	if (recent) {
		const data = recent.data.subarray(0, Math.min(maxRead, end - from));
		return { kind: 'bytes', offset: from, next: from + data.length, data, times: recent.times };
	}
	const reading = { leaseId, direction: 'output', from } as const;
	const { offset, data, times } = await readConsole(database.query, reading);
	// The chunks of a console are not kept when the database crashes, or after a day.
	const next = data.length === 0 ? end : offset;
	if (data.length === 0 || offset > from)
		return { kind: 'dropped', offset: next, next, bytes: next - from };
	return { kind: 'bytes', offset, next: offset + data.length, data, times };
}

function leaseState({ query }: Database, leaseId: string) {
	return query
		.selectFrom('leases')
		.select(['status', 'end_reason', 'end_message', 'console_end', 'fence'])
		.where('id', '=', leaseId)
		.executeTakeFirst();
}
