// What the page of a queued lease shows: its place, and when it probably starts.
import { listBaseImages } from '../../base-images/store.ts';
import { medianOf } from '../../boards/history.ts';
import { findFreeBoard } from '../../boards/types.ts';
import { creditsOf } from '../../credits/holds.ts';
import { clockOf } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { graceAfterWait } from '../rules/minutes.ts';
import { estimate } from './estimate.ts';
import { pastOfType, readQueueOfType } from './usage.ts';

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
		/** Whether a mail says when it starts. */
		mail: lease.mail_when_ready === 1,
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
