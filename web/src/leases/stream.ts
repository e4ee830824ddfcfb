// The stream that keeps a lease page up to date: what changes, the console as it grows, and beats.

import {
	boardChange,
	type Core,
	chunksUntil,
	consoleChange,
	type Database,
	drivenBoard,
	findLease,
	isInGrace,
	keepRecent,
	type LeaseRow,
	type LeaseView,
	leaseChange,
	offsetAfter,
	pinsChange,
	readLeaseView,
	readSample,
	startOfTail,
	timeIn,
	type Wait,
	type Wake,
	watchPins,
} from 'board-access-core';
import { beat } from 'board-access-http/confirm';
import { endWordsOf } from './status.tsx';
import type { Viewer } from './viewer.ts';

/** A page takes a silence of twice this time for an interruption. */
const beatMilliseconds = 2_000;

/** How often the actions are read although no change was announced. */
const readMilliseconds = 10_000;

/** How often a page says that somebody looks at the pins. */
const watchMilliseconds = 5_000;

interface Follower extends Omit<Viewer, 'lease'> {
	/** The console that the page has: the fence of its board, and the next offset. */
	fence: number | null;
	from: number;
	/** What the viewer may do by now: the holder may have changed it. */
	readAccess: () => Promise<Viewer['access']>;
	render: (view: LeaseView) => object;
}

/** Events until the lease has ended. */
export async function* leaseEvents(
	{ database, wake }: Pick<Core, 'database' | 'wake'>,
	follower: Follower,
	signal: AbortSignal,
): AsyncGenerator<Buffer | Wait> {
	const change = leaseChange(follower.id);
	const pins = pinsChange(follower.id);
	const watch = wake.watch([change, consoleChange(follower.id), pins]);
	const forget = keepRecent(database, follower.id);
	const readChange = followView(database, follower);
	const readConsole = followConsole(database, follower);
	const readPins = followPins(database, wake);
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
				if (lease.status === 'ended') return yield event({ end: true });
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
	return async (row: LeaseRow, announced: boolean) => {
		const due = performance.now() - read >= readMilliseconds;
		const current = `${row.status} ${isInGrace(row, timeIn(query))}`;
		if (!announced && !due && current === state) return beat;
		const view = await readLeaseView(query, { ...follower, access: await follower.readAccess() });
		const lease = { ...view.lease, expires_in_ms: null };
		const now = JSON.stringify({ ...view, lease, consoleEnd: null, time: null });
		// Another piece than the beat is confirmed at once: the lease may no longer be shared.
		const same = announced ? Buffer.from(beat) : beat;
		const changed = now === seen ? same : event({ ...follower.render(view), ...marksIn(view) });
		[seen, state, read] = [now, current, performance.now()];
		return changed;
	};
}

/** What a console marks beside its output, and where that ends. */
function marksIn({ lease, actions, consoleEnd, time }: LeaseView) {
	const { ended_at, end_reason } = lease;
	const end = ended_at && { ended_at, end_reason, text: endWordsOf(lease) };
	return { actions, end, consoleEnd, time };
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
			page.from = offsetAfter(chunk);
			const output =
				chunk.kind === 'bytes'
					? { output: chunk.data.toString('base64'), times: chunk.times }
					: { dropped: chunk.bytes };
			yield event({ ...output, ...page, old: chunk.offset < old });
		}
	};
}

/** Keeps the samples of the pins coming, and reads the last one. Null means that there is none of now. */
function followPins({ query }: Database, wake: Wake) {
	let askedAt = Number.NEGATIVE_INFINITY;
	let hasPins = false;
	let seen = '';
	return async function* (lease: LeaseRow) {
		if (lease.board_id === null) return;
		if (performance.now() - askedAt >= watchMilliseconds) {
			askedAt = performance.now();
			const board = await drivenBoard(query, lease.id);
			hasPins = board?.capabilities?.pins !== undefined;
			if (hasPins && (await watchPins(query, lease))) wake.announce(boardChange(lease.board_id));
		}
		const sample = hasPins ? await readSample(query, lease) : undefined;
		const text = JSON.stringify(sample ?? null);
		// A page may have samples of an earlier connection; of a board without pins it has none.
		if (text === seen || (seen === '' && !hasPins)) return;
		seen = text;
		yield event({ pins: sample ?? null });
	};
}

function event(body: object) {
	return Buffer.from(`data: ${JSON.stringify(body)}\n\n`);
}
