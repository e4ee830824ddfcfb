// What the page of a lease shows, except its console: while it waits, its place, and when it probably starts.

import { listBaseImages } from '../base-images/store.ts';
import { findBoard } from '../boards/store.ts';
import { findFreeBoard } from '../boards/types.ts';
import { costUntil } from '../credits/charge.ts';
import { creditsOf } from '../credits/holds.ts';
import { clockOf, timestamp } from '../database/clock.ts';
import type { Db, LeaseRow, Owned } from '../database/schema.ts';
import { lastActions, stepKey, usualTimes } from './actions/store.ts';
import { readDriven } from './pins/store.ts';
import { estimate } from './queue/estimate.ts';
import { findMembers } from './queue/plan.ts';
import { countWaiting, medianOf, pastOfType, readQueueOfType } from './queue/usage.ts';
import { drivenBoard } from './requirements.ts';
import { graceAfterWait, isInGrace } from './rules/minutes.ts';
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

const minute = 60_000;

/** How many past leases say how long the preparation of a type usually takes. */
const maxRemembered = 200;

/** `members`: the leases of its group, and it. */
export async function readQueue(query: Db, lease: LeaseRow, members: readonly LeaseRow[]) {
	const { account_id, board_type, wanted_board_id: wanted } = lease;
	// In whole minutes, so that a page is sent no more often than its times change.
	const now = Math.floor(clockOf(query).now() / minute) * minute;
	const own = await queueOf(query, board_type, now);
	const others = new Set(members.map((member) => member.board_type));
	others.delete(board_type);
	const reading = [...others].map((type) => queueOf(query, type, now));
	const queues = [own, ...(await Promise.all(reading))];
	const starts = new Map(queues.flatMap((queue) => queue.starts));
	const awaited = [lease, ...members].map(({ id }) => starts.get(id));
	// The leases of a group start with the last of them.
	const expected = awaited.reduce((one, other) => (isLater(other, one) ? other : one));
	const { waiting, preparation } = own;
	const { balance, held_credits } = await creditsOf(query, account_id);
	return {
		/** How many leases wait for boards of the type. */
		waiting,
		/** When its minutes probably begin, and whether it still waits then; undefined if nobody can know. */
		estimate: expected,
		/** Undefined if nobody can know, or if the lease leaves the queue before. */
		start: expected?.isInTime ? expected.start : undefined,
		preparation,
		/** What is done to prepare its board, in order. */
		images: (await listBaseImages(query, board_type))
			.filter(({ enabled }) => enabled)
			.map(({ name }) => name),
		waitsUntil: lease.queued_until,
		graceSeconds: graceAfterWait(lease),
		alternative: wanted ? await findFreeBoard(query, { id: wanted, board_type }) : undefined,
		/** Of the account, with what it holds, and without. */
		balance,
		spendable: balance - held_credits,
	};
}

/** When the minutes of the leases that wait for a type probably begin, if each were alone. */
async function queueOf(query: Db, boardType: string, now: number) {
	const { boards, queue } = await readQueueOfType(query, boardType, now);
	const past = pastOfType(query, boardType, maxRemembered).select(['granted_at', 'started_at']);
	const preparation = medianOf((await past.execute()).map(preparationOf));
	const { starts } = estimate(boards, queue, preparation);
	const named = queue.map(({ id }, place) => [id, starts[place]] as const);
	return { waiting: queue.length, preparation, starts: named };
}

type Expected = ReturnType<typeof estimate>['starts'][number];

/** That nobody knows when is later than any time. */
function isLater(expected: Expected, than: Expected) {
	return than !== undefined && (!expected || expected.start > than.start);
}

function preparationOf({ granted_at, started_at }: Pick<LeaseRow, 'granted_at' | 'started_at'>) {
	return Date.parse(started_at ?? '') - Date.parse(granted_at ?? '');
}
