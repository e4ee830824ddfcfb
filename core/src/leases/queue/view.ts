// What the page of a queued lease shows: its place, and when it probably starts.
import { listBaseImages } from '../../base-images/store.ts';
import { medianOf } from '../../boards/history.ts';
import { findFreeBoard } from '../../boards/types.ts';
import { creditsOf } from '../../credits/holds.ts';
import { clockOf } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { graceAfterWait } from '../rules/minutes.ts';
import { estimate } from './estimate.ts';
import { readPastOfType, readQueueOfType } from './usage.ts';

const minute = 60_000;

export async function readQueue(query: Db, lease: LeaseRow) {
	const { account_id, board_type, wanted_board_id: wanted } = lease;
	// In whole minutes, so that a page is sent no more often than its times change.
	const now = Math.floor(clockOf(query).now() / minute) * minute;
	const { boards, queue } = await readQueueOfType(query, board_type, now);
	const preparation = medianOf((await readPastOfType(query, board_type)).map(preparationOf));
	const place = queue.findIndex(({ id }) => id === lease.id);
	const expected = estimate(boards, queue, preparation).starts[place];
	const { balance, held_credits } = await creditsOf(query, account_id);
	return {
		/** How many leases wait for boards of the type. */
		waiting: queue.length,
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

function preparationOf({ granted_at, started_at }: Pick<LeaseRow, 'granted_at' | 'started_at'>) {
	return Date.parse(started_at ?? '') - Date.parse(granted_at ?? '');
}
