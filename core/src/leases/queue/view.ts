// What the page of a queued lease shows: its place, and when it probably starts.
import { listBaseImages } from '../../base-images/store.ts';
import { medianOf } from '../../boards/history.ts';
import { findFreeBoard } from '../../boards/types.ts';
import { creditsOf } from '../../credits/holds.ts';
import { clockOf } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { graceAfterWait } from '../rules/minutes.ts';
import { estimate } from './estimate.ts';
import { findMembers } from './members.ts';
import { readPastOfType, readQueueOfType } from './usage.ts';

const minute = 60_000;

export async function readQueue(query: Db, lease: LeaseRow) {
	const { account_id, board_type, wanted_board_id: wanted } = lease;
	// In whole minutes, so that a page is sent no more often than its times change.
	const now = Math.floor(clockOf(query).now() / minute) * minute;
	const own = await expectationOf(query, lease, now);
	const others = (await findMembers(query, lease)).filter(({ id }) => id !== lease.id);
	const awaited = await Promise.all(others.map((other) => expectationOf(query, other, now)));
	// The leases of a group start with the last of them.
	const { expected } = awaited.reduce((one, other) => (isLater(other, one) ? other : one), own);
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

/** When the minutes of a waiting lease probably begin if it were alone. */
async function expectationOf(query: Db, { id, board_type }: LeaseRow, now: number) {
	const { boards, queue } = await readQueueOfType(query, board_type, now);
	const preparation = medianOf((await readPastOfType(query, board_type)).map(preparationOf));
	const place = queue.findIndex((one) => one.id === id);
	const expected = estimate(boards, queue, preparation).starts[place];
	return { waiting: queue.length, preparation, expected };
}

type Expectation = Awaited<ReturnType<typeof expectationOf>>;

/** That nobody knows when is later than any time. */
function isLater({ expected }: Expectation, than: Expectation) {
	return than.expected !== undefined && (!expected || expected.start > than.expected.start);
}

function preparationOf({ granted_at, started_at }: Pick<LeaseRow, 'granted_at' | 'started_at'>) {
	return Date.parse(started_at ?? '') - Date.parse(granted_at ?? '');
}
