// Leases as their holders and administrators read them.
import { lease as leaseSchema, type leaseStatuses } from 'board-access-contract';
import { type ExpressionBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { boardNames } from '../boards/store.ts';
import { clockOf, timeIn } from '../database/clock.ts';
import { newestFirst, type PageQuery, readPage } from '../database/pagination.ts';
import type { Db, LeaseRow, Owned, Schema } from '../database/schema.ts';
import { noSuchLease } from './errors.ts';
import { queuePositions } from './queue/plan.ts';
import { readHolderNames } from './queue/usage.ts';
import { type Access, sharesWith } from './sharing/access.ts';

interface LeaseFilter {
	accountId: string;
	/** The leases of the account, those that are shared with it, or all of them. */
	of: 'own' | 'shared' | 'all';
	/** One of these. */
	status?: readonly (typeof leaseStatuses)[number][] | undefined;
	/** Of this board only. */
	boardId?: string | undefined;
}

/** Leases of the account, or shared with it. */
export async function listLeases(
	db: Db,
	filter: LeaseFilter & { of: 'own' | 'shared' },
	request: PageQuery,
) {
	const page = await readLeases(db, filter, request);
	return { ...page, data: page.data.map(({ account_id: _, ...lease }) => lease) };
}

/** The same, each with its account. */
export async function readLeases(
	db: Db,
	{ accountId, of, status, boardId }: LeaseFilter,
	request: PageQuery,
) {
	const query = db
		.selectFrom('leases')
		.selectAll('leases')
		.$if(of === 'own', (query) => query.where('account_id', '=', accountId))
		.$if(status !== undefined, (query) => query.where('status', 'in', status ?? []))
		// Lets the partial index of live leases be used.
		.$if(status?.includes('ended') === false, (query) =>
			query.where('status', '<>', sql.lit('ended')),
		)
		.$if(boardId !== undefined, (query) => query.where('board_id', '=', boardId ?? null))
		.$if(of !== 'own', (query) => query.select(holderEmail))
		.$if(of === 'shared', (query) =>
			query
				.innerJoin(sharesWith(db, accountId), 'shares.lease_id', 'leases.id')
				.where('account_id', '<>', accountId)
				.select('shares.access as shared'),
		);
	const name = JSON.stringify(['leases', of === 'all' || accountId, of, status, boardId]);
	const page = await readPage(query, newestFirst(name), request);
	const positions = await queuePositions(db, page.data);
	const time = clockOf(db).now();
	const data = page.data.map(({ shared = 'look', holder_email, ...lease }) => {
		const { account_id } = lease;
		const access: Access = account_id === accountId ? 'hold' : shared;
		const moment = { time, access, queuePosition: positions.get(lease.id), holder_email };
		return { account_id, ...leaseRecord(lease, moment) };
	});
	return { ...page, data };
}

const pageSize = 50;
const maxLive = 200;
const liveStatuses = ['active', 'preparing', 'queued'] as const;

/** The leases of an account and, on the first page, the live ones that are shared with it. */
export async function pageOfOwnLeases(db: Db, accountId: string, cursor: string | undefined) {
	const own = await listLeases(db, { accountId, of: 'own' }, { limit: pageSize, cursor });
	const live = { accountId, of: 'shared', status: liveStatuses } as const;
	const shared = cursor ? [] : (await listLeases(db, live, { limit: maxLive })).data;
	return { ...own, shared, names: await namesOf(db, [...shared, ...own.data]), at: timeIn(db) };
}

/** The leases of all accounts: on the first page, the live ones come before those that have ended. */
export async function pageOfLeases(
	db: Db,
	{
		accountId,
		boardId,
		cursor,
	}: Pick<LeaseFilter, 'accountId' | 'boardId'> & {
		cursor: string | undefined;
	},
) {
	const filter = { accountId, of: 'all', boardId } as const;
	// Each status on its own, so that a long queue does not displace the active ones.
	const live = (cursor ? [] : liveStatuses).map((status) =>
		readLeases(db, { ...filter, status: [status] }, { limit: maxLive }),
	);
	const past = { ...filter, status: ['ended'] as const };
	const ended = await readLeases(db, past, { limit: pageSize, cursor });
	const data = [...(await Promise.all(live)), ended].flatMap((page) => page.data);
	const held = data.map(({ account_id }) => ({ account_id, api_key_id: null }));
	const names = [...(await namesOf(db, data)), ...(await readHolderNames(db, held))];
	return { ...ended, data, names: new Map(names), at: timeIn(db) };
}

function namesOf(db: Db, leases: readonly { board_id: string | null }[]) {
	return boardNames(
		db,
		leases.flatMap(({ board_id }) => board_id ?? []),
	);
}

/** A lease of the account. */
export function findLease(db: Db, { accountId, id }: Owned): Promise<LeaseRow> {
	return db
		.selectFrom('leases')
		.selectAll()
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirstOrThrow(() => noSuchLease());
}

/** The record of a lease with its queue position. */
export async function readableLease(db: Db, lease: LeaseRow, access: Access = 'hold') {
	const positions = await queuePositions(db, [lease]);
	const time = clockOf(db).now();
	const holder = db.selectFrom('leases').select(holderEmail).where('leases.id', '=', lease.id);
	const others = access === 'hold' ? undefined : await holder.executeTakeFirst();
	return leaseRecord(lease, { time, access, queuePosition: positions.get(lease.id), ...others });
}

/** Null for a deleted account. */
function holderEmail({ selectFrom }: ExpressionBuilder<Schema, 'leases'>) {
	return selectFrom('accounts')
		.select('email')
		.whereRef('accounts.id', '=', 'leases.account_id')
		.where('deleted_at', 'is', null)
		.as('holder_email');
}

interface Moment {
	/** The service's time. */
	time: number;
	queuePosition?: number | undefined;
	access?: Access | undefined;
	holder_email?: string | null | undefined;
}

const fields = Object.keys(leaseSchema.shape) as (keyof typeof leaseSchema.shape)[];

function leaseRecord(lease: LeaseRow, moment: Moment) {
	const { time, queuePosition, access = 'hold', holder_email = null } = moment;
	const { status, expires_at, preparation_expires_at } = lease;
	const runsOut = status !== 'ended' && expires_at !== null;
	const record: z.output<typeof leaseSchema> = {
		...lease,
		access,
		holder_email: access === 'hold' ? null : holder_email,
		queue_position: status === 'queued' ? (queuePosition ?? null) : null,
		expires_in_ms: runsOut ? Math.max(0, Math.floor(Date.parse(expires_at) - time)) : null,
		preparation_expires_at: status === 'preparing' ? preparation_expires_at : null,
		halted_by: whoHalts(lease.halted_by, moment),
	};
	// Without the other columns.
	return Object.fromEntries(fields.map((name) => [name, record[name]])) as typeof record;
}

/** Colleagues do not see the addresses of others with whom the lease is shared. */
function whoHalts(email: string | null, { access = 'hold', holder_email }: Moment) {
	return email === null || access === 'hold' || email === holder_email ? email : 'a colleague';
}
