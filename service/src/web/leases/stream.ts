// The stream that keeps a lease page up to date: what changes, the console as it grows, and beats.

import { findBoard } from '../../boards/store.ts';
import { clockOf } from '../../database/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Db, LeaseRow, Owned } from '../../database/schema.ts';
import type { Wait } from '../../database/wake.ts';
import { beat } from '../../http/confirm.ts';
import { lastActions } from '../../leases/actions/store.ts';
import { consoleChange, leaseChange } from '../../leases/changes.ts';
import { chunksUntil, offsetAfter, startOfTail } from '../../leases/console/reader.ts';
import { keepRecent } from '../../leases/console/recent.ts';
import { findLease, readableLease } from '../../leases/store.ts';
import type { Parts } from '../../parts.ts';

/** A page takes a silence of twice this time for an interruption. */
const beatMilliseconds = 2_000;

/** How often the actions are read although no change was announced. */
const readMilliseconds = 10_000;

/** The most actions on the page of a lease, which is as many as a page of the list has. */
export const shownActions = 200;

export type LeaseView = Awaited<ReturnType<typeof readView>>;

/** What a page shows of a lease beside its console. */
export async function readView(query: Db, { accountId, id }: Owned) {
	const row = await findLease(query, { accountId, id });
	const boardId = row.board_id;
	return {
		lease: await readableLease(query, row),
		consoleEnd: row.console_end,
		actions: await lastActions(query, id, shownActions),
		board: boardId === null ? undefined : await findBoard(query, { accountId, id: boardId }),
		/** By the clock of the database. */
		time: clockOf(query).now(),
	};
}

interface Follower extends Owned {
	/** The console that the page has: the fence of its board, and the next offset. */
	fence: number | null;
	from: number;
	render: (view: LeaseView) => object;
}

/** Events until the lease has ended. */
export async function* leaseEvents(
	{ database, wake }: Pick<Parts, 'database' | 'wake'>,
	follower: Follower,
	signal: AbortSignal,
): AsyncGenerator<Buffer | Wait> {
	const change = leaseChange(follower.id);
	const watch = wake.watch([change, consoleChange(follower.id)]);
	const forget = keepRecent(database, follower.id);
	const readChange = followView(database, follower);
	const readConsole = followConsole(database, follower);
	let names: ReadonlySet<string> = new Set([change]);
	try {
		while (!signal.aborted) {
			// Reads the lease before its bytes, so that none is missing when it has ended.
			const lease = await findLease(database.query, follower);
			yield await readChange(lease, names.has(change));
			yield* readConsole(lease, signal);
			if (lease.status === 'ended') return yield event({ end: true });
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
	let status = '';
	let read = 0;
	return async (row: LeaseRow, announced: boolean) => {
		const due = performance.now() - read >= readMilliseconds;
		if (!announced && !due && row.status === status) return beat;
		const view = await readView(query, follower);
		const lease = { ...view.lease, expires_in_ms: null };
		const now = JSON.stringify({ ...view, lease, consoleEnd: null, time: null });
		const changed = now === seen ? beat : event(follower.render(view));
		[seen, status, read] = [now, row.status, performance.now()];
		return changed;
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
			page.from = offsetAfter(chunk);
			const output =
				chunk.kind === 'bytes'
					? { output: chunk.data.toString('base64') }
					: { dropped: chunk.bytes };
			yield event({ ...output, ...page, old: chunk.offset < old });
		}
	};
}

function event(body: object) {
	return Buffer.from(`data: ${JSON.stringify(body)}\n\n`);
}
