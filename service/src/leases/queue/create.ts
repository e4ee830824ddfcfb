// Creating a lease: it is granted at once where a board is free, and waits otherwise.
import type { leaseInput } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { lockAccount } from '../../accounts/lock.ts';
import { noSuchBoard } from '../../boards/store.ts';
import { type Claim, claimed, claimStep, claimValues } from '../../claims.ts';
import { creditsExhausted } from '../../credits/holds.ts';
import { clockOf, timestamp } from '../../database/clock.ts';
import { newId } from '../../database/identifier.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { defineSteps } from '../../database/steps.ts';
import type { Settings } from '../../env.ts';
import { ApiError } from '../../errors.ts';
import { invalid } from '../../validation.ts';
import { boardHasNoAgent, noBoardAvailable, noSuchBoardType } from '../errors.ts';
import {
	agentIfRequired,
	freeBoard,
	newActions,
	ofTypeOrWanted,
	plannedActions,
	takenBoard,
} from '../preparation/steps.ts';
import { renumberQueue, waitingForType } from './order.ts';

const minute = 60_000;

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

export async function createLease(
	db: Db,
	request: LeaseRequest,
	limits: LeaseLimits,
	claim?: Claim,
): Promise<LeaseRow> {
	const { input } = request;
	if (input.minutes > limits.leaseMaxMinutes) {
		throw invalid([{ path: 'minutes', message: `must be at most ${limits.leaseMaxMinutes}` }]);
	}
	const values = leaseValues(db, request, limits);
	const create = input.board_id === undefined ? createOnType : createOnBoard;
	const [lease] = await create<LeaseRow>(db, { ...values, ...claimValues(claim), queued: 0 });
	return lease ?? claimed(db, claim, (db) => createSlowly(db, request, limits));
}

/** Returns the lease with its board, or nothing if anything else than taking a free board is to be done. */
const creation = (free: Parameters<typeof freeBoard>[0]) => ({
	'account (id, spendable)': `select id, balance - held_credits from accounts
		where id = :account and disabled_at is null
			and (cast(:key as text) is null
				or exists (select 1 from api_keys where id = :key and revoked_at is null))
			and live_leases < cast(:most as integer) and queued_leases <= cast(:queued as integer)
		{for no key update}`,
	'rate (most)': `select max(credits_per_minute) from boards where ${free.among} and ${agentIfRequired}
		and credits_per_minute <= (
			select case when spendable > 0 then spendable / cast(:minutes as integer) else 0 end from account
		)`,
	'free (id)': freeBoard(free),
	...takenBoard,
	holder: `update accounts set live_leases = live_leases + 1,
			held_credits = held_credits + (select held from terms)
		where id = :account and exists (select 1 from terms) returning id`,
	lease: `insert into leases (id, account_id, api_key_id, board_type, wanted_board_id, requires_agent, board_id,
			fence, label, status, minutes, credits_per_minute, most_credits_per_minute, held_credits, created_at,
			queued_until, granted_at, preparation_expires_at, open_steps, started_at, charged_from,
			expires_at)
		select :id, :account, :key, board_type, :wanted, cast(:agent as integer), id,
			fence, :label, status, cast(:minutes as integer), credits_per_minute, (select most from rate), held, :now,
			:queued_until, :now, case status when 'preparing' then :prepared_until end, steps,
			case status when 'active' then :now end, case status when 'active' then :now end,
			case status when 'active' then :active_until else :heartbeat end
		from board join terms on true returning *`,
	action: plannedActions,
	claim: claimStep('lease'),
});

const nobodyWaits = (type: string) =>
	`not exists (select 1 from leases where leases.status = 'queued' and leases.board_type = ${type})`;
const createOnType = defineSteps(
	creation({ among: 'board_type = :type', condition: nobodyWaits(':type') }),
	'lease',
);
const createOnBoard = defineSteps(
	creation({ among: 'id = :wanted', condition: nobodyWaits('boards.board_type') }),
	'lease',
);
/** Although other leases wait: as many free boards are left for them. */
const createBehind = defineSteps(
	creation({ among: ofTypeOrWanted, left: waitingForType, waits: true }),
	'lease',
);

function leaseValues(db: Db, { accountId, keyId, input }: LeaseRequest, limits: LeaseLimits) {
	const { minutes } = input;
	const time = clockOf(db).now();
	const later = (milliseconds: number) => timestamp(time + milliseconds);
	return {
		id: newId('lse'),
		account: accountId,
		key: keyId ?? null,
		type: input.board_type ?? null,
		wanted: input.board_id ?? null,
		agent: input.requires_agent ? 1 : 0,
		label: input.label || null,
		minutes,
		most: limits.leasesPerAccount,
		now: timestamp(time),
		queued_until: later(input.wait_seconds * 1000),
		prepared_until: later(limits.leasePreparationSeconds * 1000),
		active_until: later(minutes * minute),
		heartbeat: input.heartbeat ? later(minutes * minute) : null,
		actions: newActions(),
	};
}

/** Says why there is no lease, or lets it wait in the queue. */
async function createSlowly(db: Db, request: LeaseRequest, limits: LeaseLimits) {
	const { accountId, input } = request;
	const account = await lockAccount(db, accountId);
	await requireLiveKey(db, request.keyId);
	await requireRoom(db, { accountId, live: account.live_leases }, limits);
	const spendable = account.balance - account.held_credits;
	const { type, rate } = await acceptedPrice(db, input, { spendable, ...limits });
	const values = { ...leaseValues(db, request, limits), type };
	const queued = account.queued_leases;
	const [lease] = await createBehind<LeaseRow>(db, { ...values, ...claimValues(), queued });
	if (lease && queued > 0) await renumberQueue(db, accountId);
	if (lease) return lease;
	if (input.wait_seconds === 0) throw await noBoardAvailable(db, input);
	const waiting = { rate, held: rate * input.minutes, turn: account.live_leases + 1 };
	const [created] = await enqueue<LeaseRow>(db, { ...values, ...waiting });
	if (!created) throw new Error('The lease was not added to the queue');
	return created;
}

/** Rejects a request whose key was revoked while it was carried out. */
async function requireLiveKey(db: Db, id: string | undefined) {
	if (id === undefined) return;
	const key = db.selectFrom('api_keys').select('revoked_at').where('id', '=', id);
	if ((await key.executeTakeFirst())?.revoked_at === null) return;
	throw new ApiError('api_key_revoked', 'This API key is revoked.');
}

const enqueue = defineSteps({
	holder: `update accounts set live_leases = live_leases + 1, queued_leases = queued_leases + 1,
			held_credits = held_credits + cast(:held as integer)
		where id = :account returning id`,
	lease: `insert into leases (id, account_id, api_key_id, board_type, wanted_board_id, requires_agent, label, status,
			minutes, credits_per_minute, most_credits_per_minute, held_credits, created_at, queued_until, expires_at, turn)
		values (:id, :account, :key, :type, :wanted, :agent, :label, 'queued',
			:minutes, :rate, :rate, :held, :now, :queued_until, :heartbeat, :turn)
		returning *`,
});

const mostNamed = 10;

async function requireRoom(
	db: Db,
	{ accountId, live }: { accountId: string; live: number },
	{ leasesPerAccount }: LeaseLimits,
) {
	if (live < leasesPerAccount) return;
	const leases = await db
		.selectFrom('leases')
		.select('id')
		.where('account_id', '=', accountId)
		.where('status', '<>', 'ended')
		.orderBy('created_at')
		.limit(mostNamed)
		.execute();
	const which = leases.map(({ id }) => id).join(', ');
	throw new ApiError(
		'lease_limit',
		`An account can have ${leasesPerAccount} leases at a time, including those in the queue. It has ${which}.`,
		{ hint: 'Release a lease, or wait until one ends.' },
	);
}

/** The type of the boards that are requested, and their highest price that the account can pay for the full duration. */
async function acceptedPrice(
	db: Db,
	{ board_id, board_type = '', requires_agent, minutes }: LeaseInput,
	{ spendable, webUrl }: Pick<Settings, 'webUrl'> & { spendable: number },
) {
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
	if (rate === null) throw creditsExhausted({ needed: cheapest * minutes, spendable }, webUrl);
	return { type, rate };
}
