// Streams to the page of a lease what changes: the lease, its console and the pins of its board.
import { boardChange, consoleChange, leaseChange, pinsChange } from '../announcements.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { LeaseRow } from '../database/schema.ts';
import type { Wait } from '../database/wake.ts';
import { chunksUntil, startOfTail } from './console/reader.ts';
import { readSample, watchPins } from './pins/store.ts';
import { drivenBoard } from './requirements.ts';
import { isInGrace } from './rules/minutes.ts';
import type { Access } from './sharing/access.ts';
import { findLease } from './store.ts';
import { type LeaseView, type LeaseViewer, readLeaseView } from './view.ts';

/** The page treats a silence of twice this time as an interruption. */
const beatMilliseconds = 2_000;

/** How often the actions are read although no change was announced. */
const readMilliseconds = 10_000;

/** How often the agent is asked to go on sending samples. */
const watchMilliseconds = 5_000;

/** The changed lease, an event, or nothing new, although a change may have been announced. */
type LeaseNews = { view: LeaseView } | { event: object } | { announced: boolean };

interface Follower extends Omit<LeaseViewer, 'access'> {
	/** Of the console that the page shows: the fence of its board, and the next offset. */
	fence: number | null;
	from: number;
	/** The present access of the viewer, which the holder can change. */
	readAccess: () => Promise<Access>;
}

/** News until the lease has ended. */
export async function* followLease(
	core: Core,
	follower: Follower,
	signal: AbortSignal,
): AsyncGenerator<LeaseNews | Wait> {
	const { database, wake } = core;
	const change = leaseChange(follower.id);
	const pins = pinsChange(follower.id);
	using watch = wake.watch([change, consoleChange(follower.id), pins]);
	const readChange = followView(database, follower);
	const readConsole = followConsole(database, follower);
	const readPins = followPins(core);
	let names: ReadonlySet<string> = new Set([change]);
	let lease: LeaseRow | undefined;
	let readAt = 0;
	while (!signal.aborted) {
		// Samples are frequent, and change nothing else.
		const isSample = names.size === 1 && names.has(pins);
		if (!lease || !isSample || performance.now() - readAt > beatMilliseconds) {
			readAt = performance.now();
			// Reads the lease before its bytes, so that no byte is missing when the lease has ended.
			lease = await findLease(database.query, follower);
			yield await readChange(lease, names.has(change));
			yield* readConsole(lease, signal);
			if (lease.status === 'ended') return yield { event: { end: true } };
		}
		yield* readPins(lease);
		yield async () => {
			names = await watch.changed({ milliseconds: beatMilliseconds, signal });
		};
	}
}

/** Reads the view after each announcement, and regularly, because announcements can be lost. */
function followView({ query }: Database, follower: Follower) {
	let seen = '';
	let state = '';
	let readAt = 0;
	return async (row: LeaseRow, announced: boolean): Promise<LeaseNews> => {
		const due = performance.now() - readAt >= readMilliseconds;
		const current = `${row.status} ${isInGrace(row, timeIn(query))}`;
		if (!announced && !due && current === state) return { announced };
		const view = await readLeaseView(query, { ...follower, access: await follower.readAccess() });
		const lease = { ...view.lease, expires_in_ms: null };
		const text = JSON.stringify({ ...view, lease, consoleEnd: null, time: null, cost: null });
		const isSame = text === seen;
		[seen, state, readAt] = [text, current, performance.now()];
		return isSame ? { announced } : { view };
	};
}

/** Reads new output. Output from before the stream is marked as old. */
function followConsole(database: Database, { id, fence, from }: Follower) {
	let page = { fence, from };
	let oldUntil: number | undefined;
	return async function* (lease: LeaseRow, signal: AbortSignal) {
		const { console_end: end } = lease;
		oldUntil ??= end;
		// Another board has another console; the page begins with the end of that.
		if (page.fence !== lease.fence) {
			page = { fence: lease.fence, from: await startOfTail(database, { leaseId: id, end }) };
		}
		for await (const chunk of chunksUntil(database, { leaseId: id, from: page.from, end })) {
			if (signal.aborted) return;
			page.from = chunk.next;
			const output =
				chunk.kind === 'bytes'
					? { output: chunk.data.toString('base64'), times: chunk.times }
					: { dropped: chunk.bytes };
			yield { event: { ...output, ...page, old: chunk.offset < oldUntil } };
		}
	};
}

/** Keeps the agent sending samples, and reads the last one; null if there is no recent one. */
function followPins({ database: { query }, dispatch }: Core) {
	let askedAt = Number.NEGATIVE_INFINITY;
	let hasPins = false;
	let seen = '';
	return async function* (lease: LeaseRow) {
		if (lease.board_id === null) return;
		if (performance.now() - askedAt >= watchMilliseconds) {
			askedAt = performance.now();
			const board = await drivenBoard(query, lease.id);
			hasPins = board?.capabilities?.pins !== undefined;
			if (hasPins && (await watchPins(query, lease))) {
				await dispatch({ names: [boardChange(lease.board_id)] });
			}
		}
		const sample = hasPins ? await readSample(query, lease) : undefined;
		const text = JSON.stringify(sample ?? null);
		// The page may show samples of an earlier connection, but none of a board without pins.
		if (text === seen || (seen === '' && !hasPins)) return;
		seen = text;
		yield { event: { pins: sample ?? null } };
	};
}
