// What the page of a queued lease shows: who waits, which boards become free when, and when it probably starts.
import {
	type Access,
	clockOf,
	creditsOf,
	type Db,
	estimateStarts,
	findFreeBoard,
	findOtherBoard,
	type LeaseRow,
	listBaseImages,
	medianOf,
	readPastOfType,
	readQueueOfType,
	suits,
	usualShares,
} from 'board-access-core';
import { describeHolder } from '../../boards/uses.ts';
import { holderWord } from '../status.tsx';
import type { LeaseView } from '../stream.ts';

const minute = 60_000;

export interface QueuedView extends LeaseView {
	queue: QueueView;
}

export type QueueView = Awaited<ReturnType<typeof readQueue>>;
export type Place = QueueView['places'][number];

export async function readQueue(query: Db, lease: LeaseRow, access: Access) {
	const { account_id, board_type, wanted_board_id: wanted } = lease;
	// In whole minutes, so that a page is sent no more often than its times change.
	const now = Math.floor(clockOf(query).now() / minute) * minute;
	const { boards, queue } = await readQueueOfType(query, board_type, now);
	const past = await readPastOfType(query, board_type);
	const shares = usualShares(past);
	const preparation = medianOf(past.map(preparationOf));
	const estimates = estimateStarts(boards, queue, { now, preparation, shares });
	const viewer = { account: { id: account_id, role: 'user' as const }, names: new Map() };
	const holder = holderWord(access);
	const places = queue.map((waiting, index) => ({
		place: index + 1,
		who: describeHolder(waiting, viewer).replace(/^You(?=$|,)/, holder),
		minutes: waiting.minutes,
		isOwn: waiting.id === lease.id,
		estimate: estimates[index],
	}));
	const own = places.find(({ isOwn }) => isOwn);
	const { balance, held_credits } = await creditsOf(query, account_id);
	const alternative = wanted ? await findFreeBoard(query, { id: wanted, board_type }) : undefined;
	return {
		now,
		/** What the visitor calls the holder of the lease. */
		holder,
		/** Those that the lease can get. */
		boards: boards
			.filter((board) => suits(board, lease))
			.map(({ id, name, freeAt, minutes }) => ({ id, name, freeAt, minutes })),
		places,
		own,
		/** Undefined if nobody can know, or if the lease leaves the queue before. */
		start: own?.estimate?.isInTime ? own.estimate.start : undefined,
		/** How many past leases say how long leases usually last; 0 if they are too few. */
		compared: shares ? past.length : 0,
		preparation,
		/** What is done to prepare its board, in order. */
		images: (await listBaseImages(query, board_type))
			.filter(({ enabled }) => enabled)
			.map(({ name }) => name),
		waitsUntil: lease.queued_until,
		/** Whether a mail says when it starts. */
		mail: lease.mail_when_ready === 1,
		hasGrace: lease.api_key_id === null,
		alternative,
		/** A board of another type, which needs other firmware. */
		other: alternative ? undefined : await findOtherBoard(query, board_type),
		/** Of the account, with what it holds, and without. */
		balance,
		spendable: balance - held_credits,
	};
}

function preparationOf({ granted_at, started_at }: Pick<LeaseRow, 'granted_at' | 'started_at'>) {
	return Date.parse(started_at ?? '') - Date.parse(granted_at ?? '');
}
