// What follows the page of a lease: what changes, the console as it grows, the pins, and that nothing has changed.
import { boardChange, consoleChange, leaseChange, pinsChange } from '../announcements.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { LeaseRow } from '../database/schema.ts';
import type { Wait } from '../database/wake.ts';
import { chunksUntil, startOfTail } from './console/reader.ts';
import { keepRecent } from './console/recent.ts';
import { readSample, watchPins } from './pins/store.ts';
import { drivenBoard } from './requirements.ts';
import { isInGrace } from './rules/minutes.ts';
import type { Access } from './sharing/access.ts';
import { findLease } from './store.ts';
import { type LeaseView, type LeaseViewer, readLeaseView } from './view.ts';

/** A page takes a silence of twice this time for an interruption. */
const beatMilliseconds = 2_000;

/** How often the actions are read although no change was announced. */
const readMilliseconds = 10_000;

/** How often a page says that somebody looks at the pins. */
const watchMilliseconds = 5_000;

/** What the lease has become, an event, or that nothing has changed, although it may have been announced. */
type LeaseNews = { view: LeaseView } | { event: object } | { announced: boolean };

interface Follower extends Omit<LeaseViewer, 'access'> {
	/** The console that the page has: the fence of its board, and the next offset. */
	fence: number | null;
	from: number;
	/** What the viewer may do by now: the holder may have changed it. */
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
	const watch = wake.watch([change, consoleChange(follower.id), pins]);
	const forget = keepRecent(database, follower.id);
	const readChange = followView(database, follower);
	const readConsole = followConsole(database, follower);
	const readPins = followPins(core);
	let names: ReadonlySet<string> = new Set([change]);
	let lease: LeaseRow | undefined;
	let readAt = 0;
	try {
		while (!signal.aborted) {
			// Samples of pins are frequent, and change nothing else.
			const isSample = names.size === 1 && names.has(pins);
			if (!lease || !isSample || performance.now() - readAt > beatMilliseconds) {
				readAt = performance.now();
				// Reads the lease before its bytes, so that none is missing when it has ended.
				lease = await findLease(database.query, follower);
				yield await readChange(lease, names.has(change));
				yield* readConsole(lease, signal);
				if (lease.status === 'ended') return yield { event: { end: true } };
			}
			yield* readPins(lease);
			yield async () => {
				({ names } = await watch.changed({ milliseconds: beatMilliseconds, signal }));
			};
		}
	} finally {
		forget();
		watch.close();
	}
}

/** Reads the view when something may have changed, and regularly, because announcements can be lost. */
function followView({ query }: Database, follower: Follower) {
	let seen = '';
	let state = '';
	let read = 0;
	return async (row: LeaseRow, announced: boolean): Promise<LeaseNews> => {
		const due = performance.now() - read >= readMilliseconds;
		const current = `${row.status} ${isInGrace(row, timeIn(query))}`;
		if (!announced && !due && current === state) return { announced };
		const view = await readLeaseView(query, { ...follower, access: await follower.readAccess() });
		const lease = { ...view.lease, expires_in_ms: null };
		const now = JSON.stringify({ ...view, lease, consoleEnd: null, time: null, cost: null });
		const isSame = now === seen;
		[seen, state, read] = [now, current, performance.now()];
		return isSame ? { announced } : { view };
	};
}

/** Reads what the console has gained. Output from before the stream is marked as old. */
function followConsole(database: Database, { id, fence, from }: Follower) {
	let page = { fence, from };
	let old: number | undefined;
	return async function* ({ fence, console_end: end }: LeaseRow, signal: AbortSignal) {
		old ??= end;
		// Another board has another console, of which a page begins with the end.
		if (page.fence !== fence) {
			page = { fence, from: await startOfTail(database, { leaseId: id, end }) };
		}
		for await (const chunk of chunksUntil(database, { leaseId: id, ...page, end })) {
			if (signal.aborted) return;
			page.from = chunk.next;
			const output =
				chunk.kind === 'bytes'
					? { output: chunk.data.toString('base64'), times: chunk.times }
					: { dropped: chunk.bytes };
			yield { event: { ...output, ...page, old: chunk.offset < old } };
		}
	};
}

/** Keeps the samples of the pins coming, and reads the last one. Null means that there is none of now. */
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
		// A page may have samples of an earlier connection; of a board without pins it has none.
		if (text === seen || (seen === '' && !hasPins)) return;
		seen = text;
		yield { event: { pins: sample ?? null } };
	};
}
