// Reads the console of a lease as it grows, until the lease ends.
import { consoleChange, leaseChange } from '../../announcements.ts';
import type { Core } from '../../core.ts';
import type { Database } from '../../database/database.ts';
import type { Wait } from '../../database/wake.ts';
import { requireDriven, requireGranted } from '../requirements.ts';
import type { Accessible } from '../sharing/access.ts';
import { type ConsoleTime, readConsole } from './store.ts';

const quietMilliseconds = 15_000;

/** What a reader gets, in order. */
type Chunk =
	| { kind: 'bytes'; offset: number; next: number; data: Buffer; times: ConsoleTime[] }
	/** Bytes that were dropped before they could be read. */
	| { kind: 'dropped'; offset: number; next: number; bytes: number };

/** The position of a reader, and the end of the console at that time. */
interface ConsolePlace {
	leaseId: string;
	/** The fence of the board. */
	fence: number | null;
	from: number;
	end: number;
}

/** Rejects a lease without a console. */
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

/** The console from an offset on, and `quiet` after a while without output. Returns when another board starts a new console. */
export async function* consoleEvents(
	{ database, wake }: Core,
	{ leaseId, ...start }: Omit<ConsolePlace, 'end'>,
	signal: AbortSignal,
): AsyncGenerator<Chunk | Wait | 'quiet'> {
	using watch = wake.watch([leaseChange(leaseId), consoleChange(leaseId)]);
	let { fence, from } = start;
	let lastEvent = performance.now();
	while (!signal.aborted) {
		// Reads the lease before its bytes, so that no byte is missing when the lease has ended.
		const lease = await leaseState(database, leaseId);
		if (!lease || lease.console_end < from || (lease.fence !== fence && from > 0)) return;
		fence = lease.fence ?? fence;
		for await (const chunk of chunksUntil(database, { leaseId, from, end: lease.console_end })) {
			if (signal.aborted) return;
			from = chunk.next;
			lastEvent = performance.now();
			yield chunk;
		}
		if (lease.status === 'ended') return;
		const quietFor = performance.now() - lastEvent;
		if (quietFor > quietMilliseconds) {
			lastEvent = performance.now();
			yield 'quiet';
		} else {
			const milliseconds = quietMilliseconds - quietFor + 1;
			yield () => watch.changed({ milliseconds, signal });
		}
	}
}

interface Range {
	leaseId: string;
	from: number;
	end: number;
}

/** The output from one offset to another. */
export async function* chunksUntil(database: Database, { leaseId, from, end }: Range) {
	for (let next = from; next < end; ) {
		const chunk = await nextChunk(database, { leaseId, from: next, end });
		next = chunk.next;
		yield chunk;
	}
}

const tailBytes = 64 * 1024;
const maxLine = 4 * 1024;

/** Where the last 64 KiB of a console begin: at a line or, if that is long, at a character. */
export async function startOfTail(database: Database, { leaseId, end }: Omit<Range, 'from'>) {
	const from = Math.max(0, end - tailBytes);
	if (from === 0) return 0;
	const chunk = await nextChunk(database, { leaseId, from, end });
	if (chunk.kind === 'dropped') return chunk.next;
	const line = chunk.data.subarray(0, maxLine).indexOf('\n') + 1;
	const character = chunk.data.findIndex((byte) => (byte & 0xc0) !== 0x80);
	return from + (line || Math.max(0, character));
}

/** The bytes from one offset to another, except dropped ones. */
export async function* consoleBytes(database: Database, range: Range) {
	for await (const chunk of chunksUntil(database, range)) {
		if (chunk.kind === 'bytes') yield chunk.data;
	}
}

/** The last 64 KiB of a console. */
export async function readTail(database: Database, range: Omit<Range, 'from'>) {
	const from = await startOfTail(database, range);
	const bytes: Buffer[] = [];
	for await (const data of consoleBytes(database, { ...range, from })) bytes.push(data);
	return Buffer.concat(bytes).toString();
}

/** The next bytes before the end, or how many were dropped there. */
export async function nextChunk(database: Database, { leaseId, from, end }: Range): Promise<Chunk> {
	const reading = { leaseId, direction: 'output', from } as const;
	const { offset, data, times } = await readConsole(database.query, reading);
	// The bytes are gone after a crash of PostgreSQL, or a day after the end of the lease.
	const next = data.length === 0 ? end : offset;
	if (data.length === 0 || offset > from)
		return { kind: 'dropped', offset: next, next, bytes: next - from };
	return { kind: 'bytes', offset, next: offset + data.length, data, times };
}

function leaseState({ query }: Database, leaseId: string) {
	return query
		.selectFrom('leases')
		.select(['status', 'console_end', 'fence'])
		.where('id', '=', leaseId)
		.executeTakeFirst();
}
