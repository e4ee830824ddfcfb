// Output that this process has stored while somebody reads it: such a reader reads only what it missed.
import type { Database } from '../../database/database.ts';

/** A reader that falls further behind reads from the database. */
const maxKept = 16 * 1024;

/** An offset, and when the output from there on was stored, in milliseconds since 1970. */
export type ConsoleTime = [offset: number, time: number];

interface Recent {
	fence: number;
	/** The offset of the first byte that is kept. */
	start: number;
	data: Buffer;
	times: ConsoleTime[];
	readers: number;
}

// Each replica has its own, also if several run in one process.
const replicas = new WeakMap<Database, Map<string, Recent>>();

function recentOf(database: Database) {
	const known = replicas.get(database) ?? new Map<string, Recent>();
	replicas.set(database, known);
	return known;
}

/** Keeps what is stored of the console of a lease, until the function that it returns is called. */
export function keepRecent(database: Database, leaseId: string) {
	const all = recentOf(database);
	const empty = { fence: -1, start: 0, data: Buffer.alloc(0), times: [], readers: 0 };
	const recent = all.get(leaseId) ?? empty;
	all.set(leaseId, recent);
	recent.readers += 1;
	return () => {
		recent.readers -= 1;
		if (recent.readers === 0) all.delete(leaseId);
	};
}

interface Place {
	leaseId: string;
	/** Another board starts a new console, with a new fence. */
	fence: number | null;
}

interface Stored extends Place {
	fence: number;
	offset: number;
	data: Buffer;
	time: number;
}

/** Called with the output that was stored at an offset. */
export function addRecent(database: Database, { leaseId, fence, offset, data, time }: Stored) {
	const recent = recentOf(database).get(leaseId);
	if (!recent || data.length === 0) return;
	const follows = recent.fence === fence && recent.start + recent.data.length === offset;
	const all = follows ? Buffer.concat([recent.data, data]) : data;
	const kept = all.subarray(-Math.max(maxKept, data.length));
	const start = offset + data.length - kept.length;
	const times = timesFrom([...(follows ? recent.times : []), [offset, time]], start);
	Object.assign(recent, { fence, start, data: kept, times });
}

/** What is kept of the output from an offset on, if the byte there is kept. */
export function recentFrom(database: Database, { leaseId, fence, from }: Place & { from: number }) {
	const recent = recentOf(database).get(leaseId);
	if (!recent || recent.fence !== fence || from < recent.start) return undefined;
	const data = recent.data.subarray(from - recent.start);
	return data.length > 0 ? { data, times: timesFrom(recent.times, from) } : undefined;
}

function timesFrom(times: ConsoleTime[], from: number) {
	const first = times.findLastIndex(([offset]) => offset <= from);
	return times.slice(Math.max(0, first));
}
