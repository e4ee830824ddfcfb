// The lease that a request names, if it is the caller's.
import type { Kysely } from 'kysely';
import type { LeaseRow, Schema } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

/** The lease, or the same error for one of another account and one that does not exist. */
export async function ownLease(
	db: Kysely<Schema>,
	{ accountId, leaseId }: { accountId: string; leaseId: string },
): Promise<LeaseRow> {
	const lease = await db
		.selectFrom('leases')
		.selectAll()
		.where('id', '=', leaseId)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
	if (!lease) throw new ApiError('lease_not_found', 'There is no such lease.');
	return lease;
}

/** Refuses what needs the board while the lease does not have it. */
export function requireActive({ status, end_message }: LeaseRow) {
	if (status === 'active') return;
	if (status === 'ended') throw leaseEnded(end_message);
	throw new ApiError('lease_not_active', `The lease is ${status}.`, {
		hint: 'Wait until its status is active.',
	});
}

function leaseEnded(message: string | null) {
	return new ApiError('lease_ended', `The lease has ended.${message ? ` ${message}` : ''}`);
}

/** Refuses what needs a board while the lease waits for one. */
export function requireGranted({ status, board_id }: LeaseRow) {
	if (board_id !== null) return;
	if (status === 'ended') throw leaseEnded(null);
	throw new ApiError('lease_not_active', 'The lease is waiting for a board.');
}
