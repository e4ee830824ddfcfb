// Requests a lease. It enters the queue and, if there is a board for it, gets it in the same transaction.
import type { leaseInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { requireSession } from '../../accounts/sessions/sessions.ts';
import { noSuchBoard } from '../../boards/store.ts';
import type { Claim } from '../../claims.ts';
import type { Caller, Core } from '../../core.ts';
import { creditsExhausted } from '../../credits/holds.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { newId } from '../../identifier.ts';
import { changeAccount } from '../change.ts';
import { boardHasNoAgent, noBoardAvailable, noSuchBoardType } from '../errors.ts';
import { grant } from '../rules/grant.ts';
import { requestedLease, requireRoom } from '../rules/request.ts';
import { type AccountState, leaseIn, spendableIn, withLease } from '../rules/state.ts';
import { lockBoardFor } from './at-once.ts';
import { suiting } from './boards.ts';

type LeaseInput = z.output<typeof leaseInput>;

export async function requestLease(
	core: Core,
	{ holder, input }: { holder: Caller; input: LeaseInput },
	claim?: Claim,
): Promise<LeaseRow> {
	const id = newId('lse');
	const limits = core.settings;
	const state = await changeAccount(core, {
		accountId: holder.accountId,
		id,
		claim,
		load: async (db, state) => {
			await requireCredential(db, holder);
			requireRoom(state, input.minutes, limits);
			const offer = await readOffer(db, state, { ...input, ...limits });
			const wanted = { ...input, ...offer, id, keyId: holder.keyId ?? null };
			const lease = requestedLease(state, wanted);
			const found = await lockBoardFor(db, lease);
			if (!found && input.wait_seconds === 0) throw await noBoardAvailable(db, input);
			return { lease, ...found };
		},
		decide: (state, { lease, boards, images = [] }) => {
			const board = boards?.[0];
			const queued = withLease(state, lease);
			return board ? grant(queued, id, { board, images, limits }) : queued;
		},
	});
	const lease = leaseIn(state, id);
	if (!lease) throw new Error('The lease was not created');
	return lease;
}

/** Rejects a request whose key or session has ended meanwhile. */
async function requireCredential(db: Db, { accountId, keyId, sessionId }: Caller) {
	await requireSession(db, accountId, sessionId);
	if (keyId === undefined) return;
	const key = db.selectFrom('api_keys').select('revoked_at').where('id', '=', keyId);
	if ((await key.executeTakeFirst())?.revoked_at === null) return;
	throw new ApiError('api_key_revoked', 'This API key is revoked.');
}

/** The board type, and the highest price that the account can pay for the full duration. */
async function readOffer(
	db: Db,
	state: AccountState,
	{ board_id, board_type = '', requires_agent, minutes, webUrl }: LeaseInput & { webUrl: string },
) {
	const spendable = spendableIn(state);
	const named = board_id === undefined ? { board_type } : { wanted_board_id: board_id };
	const wanted = { ...named, requires_agent: requires_agent ? 1 : 0 };
	const maxPrice = Math.floor(Math.max(0, spendable) / minutes);
	const affordable = { ...wanted, most_credits_per_minute: maxPrice };
	const boards = db.selectFrom('boards');
	const price = boards.select('credits_per_minute');
	// Each subquery uses an index.
	const { type, cheapest, rate } = await db
		.selectNoFrom([
			boards.select('board_type').where(suiting(named)).limit(1).as('type'),
			price.where(suiting(wanted)).orderBy('credits_per_minute').limit(1).as('cheapest'),
			price.where(suiting(affordable)).orderBy('credits_per_minute', 'desc').limit(1).as('rate'),
		])
		.executeTakeFirstOrThrow();
	if (!type) throw board_id === undefined ? noSuchBoardType() : noSuchBoard();
	if (cheapest === null) {
		throw boardHasNoAgent(board_id ? `the board ${board_id}` : `a board of type ${board_type}`);
	}
	if (rate !== null) return { board_type: type, maxCreditsPerMinute: rate };
	throw creditsExhausted({ needed: cheapest * minutes, spendable }, webUrl);
}
