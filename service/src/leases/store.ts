// Leases as their owners and administrators read them.
import type { leaseStatuses } from 'board-access-contract';
import { clockOf } from '../database/clock.ts';
import { newestFirst, type PageRequest } from '../database/pagination.ts';
import type { Db, LeaseRow, Owned } from '../database/schema.ts';
import { queuePositions } from './queue/order.ts';
import { leaseRecord } from './record.ts';
import { noSuchLease } from './refusals.ts';

export interface LeaseFilter {
	/** Absent for an administrator, who sees the leases of every account. */
	accountId?: string;
	status?: (typeof leaseStatuses)[number] | undefined;
}

export async function listLeases(db: Db, filter: LeaseFilter, request: PageRequest) {
	const { accountId, status } = filter;
	let query = db.selectFrom('leases').selectAll();
	if (accountId !== undefined) query = query.where('account_id', '=', accountId);
	if (status !== undefined) query = query.where('status', '=', status);
	const page = await newestFirst(query, leaseList(filter), request);
	const positions = await queuePositions(db, page.data);
	const time = clockOf(db).now();
	return {
		...page,
		data: page.data.map((lease) => ({
			...leaseRecord(lease, { time, queuePosition: positions.get(lease.id) }),
			...(accountId === undefined && { account_id: lease.account_id }),
		})),
	};
}

/** The name of a list of leases, to which its cursors are bound. */
export function leaseList({ accountId, status }: LeaseFilter) {
	return JSON.stringify(['leases', accountId, status]);
}

/** An account's own lease. Leases of other accounts do not exist for it. */
export async function findLease(db: Db, { accountId, id }: Owned): Promise<LeaseRow> {
	const lease = await db
		.selectFrom('leases')
		.selectAll()
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
	if (!lease) throw noSuchLease();
	return lease;
}

export async function findWaitingLease(
	db: Db,
	{ accountId, boardId }: { accountId: string; boardId: string },
) {
	const lease = await db
		.selectFrom('leases')
		.select('id')
		.where('account_id', '=', accountId)
		.where('wanted_board_id', '=', boardId)
		.where('status', '=', 'queued')
		.orderBy('created_at')
		.executeTakeFirst();
	return lease?.id;
}

/** The lease as the wire has it, with its place in the queue. */
export async function readableLease(db: Db, lease: LeaseRow) {
	const positions = await queuePositions(db, [lease]);
	return leaseRecord(lease, { time: clockOf(db).now(), queuePosition: positions.get(lease.id) });
}
