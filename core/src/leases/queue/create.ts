// Requests a lease, or a group of leases. They enter the queue and, if there are boards for all of them, get them in the
// same transaction.
import type { leaseGroupInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { requireSession } from '../../accounts/sessions/sessions.ts';
import { currentActor } from '../../activity/actor.ts';
import { record } from '../../activity/record.ts';
import { noSuchBoard } from '../../boards/store.ts';
import type { Claim } from '../../claims.ts';
import type { Caller, Core } from '../../core.ts';
import { creditsExhausted, creditsOfKey } from '../../credits/holds.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { newId } from '../../identifier.ts';
import { changeAccount } from '../change.ts';
import { boardHasNoAgent, noBoardAvailable, noSuchBoardType, noSuchTags } from '../errors.ts';
import { grant } from '../rules/grant.ts';
import { plan } from '../rules/order.ts';
import { requestedLease, requireRoom } from '../rules/request.ts';
import { type AccountState, leaseIn, spendableIn, withLease } from '../rules/state.ts';
import { suiting } from './boards.ts';
import { lockBoardsFor } from './grant.ts';
import { boardsFor } from './plan.ts';

type GroupInput = z.output<typeof leaseGroupInput>;
type Terms = Omit<GroupInput, 'boards' | 'same_tag'>;
type WantedBoard = GroupInput['boards'][string];

interface Wanted {
	holder: Caller;
	terms: Terms;
	/** By their roles; one without a role is a single lease. */
	boards: readonly (readonly [role: string | null, WantedBoard])[];
	sameTag?: string | undefined;
}

/** Returns the leases in the order of the boards. */
export async function requestLeases(
	core: Core,
	{ holder, terms, boards, sameTag }: Wanted,
	claim?: Claim,
): Promise<[LeaseRow, ...LeaseRow[]]> {
	const requested = boards.map(([role, board]) => ({ ...board, role, id: newId('lse') }));
	const group_id = boards[0]?.[0] === null ? null : newId('grp');
	const limits = core.settings;
	const { length: count } = boards;
	const state = await changeAccount(core, {
		accountId: holder.accountId,
		id: group_id ?? requested[0]?.id ?? '',
		claim,
		load: async (db, state) => {
			await requireCredential(db, holder);
			requireRoom(state, { ...terms, count }, limits);
			const keyId = holder.keyId ?? null;
			const ofKey = await creditsOfKey(db, keyId);
			const shared = { ...terms, group_id, same_tag: sameTag ?? null, keyId };
			const leases: LeaseRow[] = [];
			for (const board of requested) {
				const reading = readOffer(db, state, { ...board, ...terms, ...limits, count, ofKey });
				const offer = await inRole(board.role, reading);
				leases.push(requestedLease(state, { ...board, ...offer, ...shared }, count));
			}
			if (group_id !== null) await requireBoards(db, leases);
			await recordForAgent(db, leases);
			const grants = await lockBoardsFor(db, leases);
			if (!grants && terms.wait_seconds === 0) throw await noBoardAvailable(db, leases);
			return { leases, grants: grants ?? [], boards: grants?.map(({ board }) => board) ?? [] };
		},
		decide: (state, { leases, grants }) => grant(leases.reduce(withLease, state), grants, limits),
	});
	const leases = requested.flatMap(({ id }) => leaseIn(state, id) ?? []);
	return leases as [LeaseRow, ...LeaseRow[]]; // one for each board
}

/** What a coding agent leases is in the activity log. What a person or a pipeline does is in its list of leases. */
async function recordForAgent(db: Db, leases: readonly LeaseRow[]) {
	if (currentActor().via !== 'mcp') return;
	for (const { account_id: accountId, id, label } of leases) {
		await record(db, { kind: 'lease.created', accountId, subjectId: id, details: { label } });
	}
}

/** Says in an error which board it is about. */
async function inRole<Result>(role: string | null, reading: Promise<Result>) {
	return reading.catch((error) => {
		if (role === null || !(error instanceof ApiError)) throw error;
		const { code, message, details } = error;
		throw new ApiError(code, `${message} (role ${role})`, { param: `boards.${role}`, ...details });
	});
}

/** Rejects a group for which there are too few boards, in whatever status they are. */
async function requireBoards(db: Db, leases: readonly LeaseRow[]) {
	const boards = await boardsFor(db, leases, 'all');
	if (plan(leases, boards).granted.length > 0) return;
	const tag = leases[0]?.same_tag ?? null;
	if (tag !== null && boards.length === 0) {
		const types = leases.map(({ board_type }) => board_type);
		throw noSuchTags({ [tag]: null }, await tagsOf(db, ({ eb }) => eb('board_type', 'in', types)));
	}
	const rich = leases.map((lease) => ({ ...lease, most_credits_per_minute: maxPrice }));
	const roles = leases.map(({ role }) => role).join(', ');
	const bench = tag === null ? '' : ` with the same value of the tag ${tag}`;
	const price = plan(rich, boards).granted.length > 0 ? ' at prices that your credits allow' : '';
	const message = `There are too few boards${bench}${price} for the roles ${roles} together, so waiting does not help.`;
	const hint = 'The list of boards shows the types, tags and prices.';
	throw new ApiError('no_board_available', message, { hint });
}

/** More than any board costs. */
const maxPrice = Number.MAX_SAFE_INTEGER;

/** How many boards are read to say which tags there are. */
const maxRead = 1_000;

async function tagsOf(db: Db, which: ReturnType<typeof suiting>) {
	const boards = db.selectFrom('boards').select('tags').where(which).limit(maxRead);
	return (await boards.execute()).map(({ tags }) => tags);
}

/** Rejects a request whose key or session has ended meanwhile. */
async function requireCredential(db: Db, { accountId, keyId, sessionId }: Caller) {
	await requireSession(db, accountId, sessionId);
	if (keyId === undefined) return;
	const key = db.selectFrom('api_keys').select('revoked_at').where('id', '=', keyId);
	if ((await key.executeTakeFirst())?.revoked_at === null) return;
	throw new ApiError('api_key_revoked', 'This API key is revoked.');
}

/** The board type, and the highest price that the account can pay for all boards and the full duration. */
async function readOffer(
	db: Db,
	state: AccountState,
	{
		board_id,
		board_type = '',
		tags,
		requires_agent,
		minutes,
		count,
		webUrl,
		ofKey,
	}: WantedBoard & Terms & { webUrl: string; count: number; ofKey: number },
) {
	const spendable = spendableIn(state);
	const named = board_id === undefined ? { board_type } : { wanted_board_id: board_id };
	const tagged = { ...named, wanted_tags: JSON.stringify(tags) };
	const wanted = { ...tagged, requires_agent: requires_agent ? 1 : 0 };
	const maxPrice = Math.floor(Math.max(0, Math.min(spendable, ofKey)) / (minutes * count));
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
		const suitable = boards.select('id').where(suiting(tagged)).limit(1);
		if (!(await suitable.executeTakeFirst())) {
			throw noSuchTags(tags, await tagsOf(db, suiting(named)));
		}
		throw boardHasNoAgent(board_id ? `the board ${board_id}` : `a board of type ${board_type}`);
	}
	if (rate !== null) return { board_type: type, maxCreditsPerMinute: rate };
	throw creditsExhausted({ needed: cheapest * minutes * count, spendable, ofKey }, webUrl);
}
