// What the page of a lease shows, except its console.
import { findBoard } from '../boards/store.ts';
import { costUntil } from '../credits/charge.ts';
import { creditsOf } from '../credits/holds.ts';
import { clockOf, timestamp } from '../database/clock.ts';
import type { Db, LeaseRow, Owned } from '../database/schema.ts';
import { lastActions, stepKey, usualTimes } from './actions/store.ts';
import { readDriven } from './pins/store.ts';
import { findMembers } from './queue/plan.ts';
import { countWaiting } from './queue/usage.ts';
import { readQueue } from './queue/view.ts';
import { drivenBoard } from './requirements.ts';
import { isInGrace } from './rules/minutes.ts';
import type { Accessible } from './sharing/access.ts';
import { listShares } from './sharing/store.ts';
import { findLease, readableLease } from './store.ts';

export type LeaseView = Awaited<ReturnType<typeof readLeaseView>>;
export type LeaseAction = Awaited<ReturnType<typeof lastActions>>[number] & {
	/** How many milliseconds this step of a preparation usually takes. */
	usually?: number | undefined;
};

export type LeaseViewer = Owned & Pick<Accessible, 'access' | 'seesColleagues' | 'watches'>;

/** While the lease is queued, its board is the one that it waits for. */
export async function readLeaseView(query: Db, viewer: LeaseViewer) {
	const { accountId, id, access, seesColleagues } = viewer;
	const row = await findLease(query, viewer);
	const isQueued = row.status === 'queued';
	const boardId = isQueued ? row.wanted_board_id : row.board_id;
	const waiting = row.status === 'active' ? await countWaiting(query, [row.board_type]) : new Map();
	const time = clockOf(query).now();
	const usual = row.status === 'preparing' ? await usualTimes(query, row.board_type) : undefined;
	const actions = await lastActions(query, { leaseId: id, seesColleagues });
	const members = await findMembers(query, row);
	const now = timestamp(time);
	return {
		lease: await readableLease(query, row, access),
		/** Those of its group, and it. */
		members: access === 'hold' ? members : [],
		shares: access === 'hold' ? await listShares(query, id) : [],
		watches: viewer.watches,
		consoleEnd: row.console_end,
		/** Credits per minute; while it waits, at most. */
		rate: isQueued ? row.most_credits_per_minute : row.credits_per_minute,
		held: row.held_credits,
		/** The cost until now; after the end, what the lease would have cost until it expired. */
		cost: costUntil(row, row.status === 'ended' ? (row.expires_at ?? now) : now),
		/** The credits of the holder. */
		credits: access === 'hold' ? await creditsOf(query, accountId) : undefined,
		actions: actions.map(
			(action): LeaseAction => ({ ...action, usually: usual?.get(stepKey(action)) }),
		),
		board: boardId === null ? undefined : await findBoard(query, { accountId, id: boardId }),
		queue: isQueued ? await readQueue(query, row, members) : undefined,
		/** How many leases wait for its board, or any board of the type. */
		waiting: (waiting.get(row.board_type) ?? 0) + (waiting.get(boardId) ?? 0),
		chargedFrom: row.charged_from,
		inGrace: isInGrace(row, now),
		/** The service's time. */
		time,
	};
}

export async function readLiveBoard(query: Db, lease: LeaseRow) {
	const board = await drivenBoard(query, lease.id);
	const capabilities = board?.capabilities;
	return {
		isDriven: board !== undefined,
		/** Undefined while the agent is away. */
		supported: capabilities?.actions,
		live:
			lease.status === 'active'
				? { ...capabilities, driven: await readDriven(query, lease) }
				: undefined,
	};
}
