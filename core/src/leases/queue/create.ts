// Requests a lease: it enters the queue, and gets a board in the same transaction if the plan has one for it.
import type { leaseInput } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { requireSession } from '../../accounts/sessions/sessions.ts';
import { noSuchBoard } from '../../boards/store.ts';
import type { Claim } from '../../claims.ts';
import type { Caller, Core } from '../../core.ts';
import { creditsExhausted } from '../../credits/holds.ts';
import { newId } from '../../database/identifier.ts';
import { lockName, onPostgres } from '../../database/postgres.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { changeAccount } from '../change.ts';
import { boardHasNoAgent, noBoardAvailable, noSuchBoardType } from '../errors.ts';
import { grant, request, requireRoom } from '../rules/lifecycle.ts';
import { rankOf, suits } from '../rules/order.ts';
import { type AccountState, leaseIn, liveLeases, spendableIn } from '../rules/state.ts';
import { imagesFor, lockGrantable } from './grant.ts';
import { byPreference, isAwaited, ofTypeAndFree, planOf, type WaitingLease } from './plan.ts';

type LeaseInput = z.output<typeof leaseInput>;

export interface LeaseRequest {
	holder: Caller;
	input: LeaseInput;
}

export async function requestLease(
	core: Core,
	{ holder, input }: LeaseRequest,
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
			const found = await findBoard(db, waitingLease(state, { id, input, ...offer }));
			if (!found && input.wait_seconds === 0) throw await noBoardAvailable(db, input);
			return { ...offer, ...found };
		},
		decide: (state, { type, rate, boards, images = [] }) => {
			const board = boards?.[0];
			const queued = request(state, {
				id,
				keyId: holder.keyId ?? null,
				boardType: type,
				wantedBoardId: input.board_id ?? null,
				requiresAgent: input.requires_agent,
				maxCreditsPerMinute: rate,
				label: input.label || null,
				minutes: input.minutes,
				waitSeconds: input.wait_seconds,
				hasHeartbeat: input.heartbeat,
			});
			return board ? grant(queued, id, { board, images, limits }) : queued;
		},
	});
	const lease = leaseIn(state, id);
	if (!lease) throw new Error('The lease was not created');
	return lease;
}

/** Rejects a request whose key or session has ended while it waited. */
async function requireCredential(db: Db, { accountId, keyId, sessionId }: Caller) {
	await requireSession(db, accountId, sessionId);
	if (keyId === undefined) return;
	const key = db.selectFrom('api_keys').select('revoked_at').where('id', '=', keyId);
	if ((await key.executeTakeFirst())?.revoked_at === null) return;
	throw new ApiError('api_key_revoked', 'This API key is revoked.');
}

interface Offer {
	type: string;
	/** The highest price of the boards that are requested and that the account can pay for the full duration. */
	rate: number;
}

async function readOffer(
	db: Db,
	state: AccountState,
	{ board_id, board_type = '', requires_agent, minutes, webUrl }: LeaseInput & { webUrl: string },
): Promise<Offer> {
	const spendable = spendableIn(state);
	const wanted = board_id === undefined ? sql`board_type = ${board_type}` : sql`id = ${board_id}`;
	const among = requires_agent ? sql`${wanted} and agent_id is not null` : wanted;
	const most = Math.floor(Math.max(0, spendable) / minutes);
	// Each of these is found in an index; with `requires_agent`, the boards without an agent are passed over.
	const { rows } = await sql<{ type?: string; cheapest: number | null; rate: number | null }>`select
		(select board_type from boards where ${wanted} limit 1) as type,
		(select min(credits_per_minute) from boards where ${among}) as cheapest,
		(select max(credits_per_minute) from boards where ${among} and credits_per_minute <= ${most}) as rate`.execute(
		db,
	);
	const { type, cheapest = null, rate = null } = rows[0] ?? {};
	if (!type) throw board_id === undefined ? noSuchBoardType() : noSuchBoard();
	if (cheapest === null) {
		throw boardHasNoAgent(board_id ? `the board ${board_id}` : `a board of type ${board_type}`);
	}
	if (rate !== null) return { type, rate };
	throw creditsExhausted({ needed: cheapest * minutes, spendable }, webUrl);
}

/** The request as the queue sees it. */
function waitingLease(
	state: AccountState,
	{ id, input, type, rate }: { id: string; input: LeaseInput } & Offer,
): WaitingLease {
	return {
		id,
		account_id: state.account.id,
		rank: rankOf(state.time, liveLeases(state).length),
		board_type: type,
		wanted_board_id: input.board_id ?? null,
		requires_agent: input.requires_agent ? 1 : 0,
		most_credits_per_minute: rate,
	};
}

/** Locks the free board that the plan has for the request. */
async function findBoard(db: Db, wanted: WaitingLease) {
	const { board_type: type } = wanted;
	const first = (await isAwaited(db, type)) ? undefined : await lockFirstFree(db, wanted);
	if (first) return first;
	// Two requests that are planned at the same moment could each take what leaves nothing for who waits.
	await lockName(db, `queue ${type}`);
	for (;;) {
		const id = (await planOf(db, type, [wanted])).get(wanted)?.id;
		if (id === undefined) return undefined;
		const found = await lockGrantable(db, id);
		// Otherwise somebody else has taken or changed it.
		const [board] = found.boards;
		if (board?.status === 'available' && suits(board, wanted)) return found;
	}
}

/** Nobody waits: the best free board that is not being taken. Requests of the same moment do not wait for each other. */
async function lockFirstFree(db: Db, wanted: WaitingLease) {
	const board = await db
		.selectFrom('boards')
		.selectAll()
		.where(ofTypeAndFree(wanted.board_type))
		.where('credits_per_minute', '<=', wanted.most_credits_per_minute)
		.$if(wanted.wanted_board_id !== null, (query) =>
			query.where('id', '=', wanted.wanted_board_id ?? ''),
		)
		.$if(wanted.requires_agent === 1, (query) => query.where('agent_id', 'is not', null))
		.$call(byPreference)
		.limit(1)
		.$if(onPostgres(db), (query) => query.forNoKeyUpdate().skipLocked())
		.executeTakeFirst();
	return board && { boards: [board], images: await imagesFor(db, board) };
}
