// Creating a lease: it is granted at once where a board is free, and waits otherwise.
import type { leaseInput } from 'board-access-contract';
import type { Insertable } from 'kysely';
import type * as z from 'zod/mini';
import { lockAccount } from '../../accounts/lock.ts';
import { noSuchBoard } from '../../boards/store.ts';
import { creditsExhausted, spendableCredits } from '../../credits/holds.ts';
import { clockOf, timestamp } from '../../database/clock.ts';
import { newId } from '../../database/identifier.ts';
import { onPostgres } from '../../database/postgres.ts';
import type { BoardRow, Db, LeaseRow, Schema } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import type { Settings } from '../../env.ts';
import { ApiError } from '../../errors.ts';
import { invalid } from '../../validation.ts';
import { boardHasNoAgent, noBoardAvailable, noSuchBoardType } from '../errors.ts';
import { grantedValues, startPreparing } from './grant.ts';
import { countWaiting, freeBoards, holdFor, pricesOf, type Requirements } from './order.ts';

type LeaseInput = z.output<typeof leaseInput>;

export interface LeaseRequest {
	accountId: string;
	keyId: string | undefined;
	input: LeaseInput;
}

export type LeaseLimits = Pick<
	Settings,
	'leaseMaxMinutes' | 'leasePreparationSeconds' | 'leasesPerAccount' | 'webUrl'
>;

export function createLease(
	db: Db,
	{ accountId, keyId, input }: LeaseRequest,
	limits: LeaseLimits,
): Promise<LeaseRow> {
	if (input.minutes > limits.leaseMaxMinutes) {
		throw invalid([{ path: 'minutes', message: `must be at most ${limits.leaseMaxMinutes}` }]);
	}
	return inTransaction(db, async (db) => {
		await lockAccount(db, accountId);
		await requireRoom(db, accountId, limits);
		const { type, prices } = await requestedBoards(db, input);
		const rate = await affordableRate(db, { accountId, minutes: input.minutes, prices, ...limits });
		const time = clockOf(db).now();
		const lease = {
			id: newId('lse'),
			account_id: accountId,
			api_key_id: keyId ?? null,
			board_type: type,
			wanted_board_id: input.board_id ?? null,
			requires_agent: input.requires_agent ? 1 : 0,
			credits_per_minute: rate,
			most_credits_per_minute: rate,
			label: input.label || null,
			minutes: input.minutes,
			held_credits: rate * input.minutes,
			created_at: timestamp(time),
			queued_until: timestamp(time + input.wait_seconds * 1000),
			expires_at: input.heartbeat ? timestamp(time + input.minutes * 60_000) : null,
		};
		const board = await takeBoard(db, lease);
		if (board) {
			const row = await insertLease(db, {
				...lease,
				...grantedValues(lease, { board, time, ...limits }),
			});
			return startPreparing(db, row, board);
		}
		if (input.wait_seconds === 0) throw await noBoardAvailable(db, input);
		return insertLease(db, { ...lease, status: 'queued' });
	});
}

async function requireRoom(db: Db, accountId: string, { leasesPerAccount }: LeaseLimits) {
	const { live } = await db
		.selectFrom('leases')
		.select(({ fn }) => fn.countAll().as('live'))
		.where('account_id', '=', accountId)
		.where('status', '<>', 'ended')
		.executeTakeFirstOrThrow();
	if (Number(live) < leasesPerAccount) return;
	throw new ApiError(
		'lease_limit',
		`An account can have ${leasesPerAccount} leases at a time, including those in the queue.`,
		{ hint: 'Release a lease, or wait until one ends.' },
	);
}

async function requestedBoards(db: Db, { board_id, board_type = '', requires_agent }: LeaseInput) {
	if (board_id === undefined) {
		const prices = await pricesOf(db, board_type, requires_agent);
		if (prices.length > 0) return { type: board_type, prices };
		const exists = requires_agent && (await pricesOf(db, board_type)).length > 0;
		throw exists ? boardHasNoAgent(`a board of type ${board_type}`) : noSuchBoardType();
	}
	const board = await db
		.selectFrom('boards')
		.select(['board_type', 'credits_per_minute', 'agent_id'])
		.where('id', '=', board_id)
		.executeTakeFirst();
	if (!board) throw noSuchBoard();
	if (requires_agent && board.agent_id === null) throw boardHasNoAgent(`the board ${board_id}`);
	return { type: board.board_type, prices: [board.credits_per_minute] };
}

interface Price {
	accountId: string;
	minutes: number;
	prices: readonly number[];
	webUrl: Settings['webUrl'];
}

/** The highest price that the account can pay for the full duration. */
async function affordableRate(db: Db, { accountId, minutes, prices, webUrl }: Price) {
	if (Math.max(...prices) === 0) return 0;
	const spendable = await spendableCredits(db, accountId);
	const affordable = prices.filter((price) => price * minutes <= Math.max(0, spendable));
	if (affordable.length > 0) return Math.max(...affordable);
	throw creditsExhausted({ needed: Math.min(...prices) * minutes, spendable }, webUrl);
}

/** A free board, unless queued leases come first. */
async function takeBoard(
	db: Db,
	lease: Requirements & Pick<LeaseRow, 'id' | 'account_id'>,
): Promise<BoardRow | undefined> {
	const waiting = await countWaiting(db, lease);
	let passOver = onPostgres(db) && waiting === 0;
	for (;;) {
		const query = freeBoards(db, lease).offset(waiting).limit(1);
		// Concurrent requests take different boards, unless all remaining boards are being taken.
		const free = await (passOver ? query.forUpdate().skipLocked() : query).executeTakeFirst();
		if (!free && !passOver) return undefined;
		passOver = false;
		if (!free) continue;
		const board = await holdFor(db, lease, free);
		// Otherwise it was taken or changed in the meantime, and is no longer free.
		if (board) return board;
	}
}

function insertLease(db: Db, lease: Insertable<Schema['leases']>) {
	return db.insertInto('leases').values(lease).returningAll().executeTakeFirstOrThrow();
}
