// The shares of a lease. Each change is in the activity log of the holder.
import type { shareAccess } from 'board-access-contract';
import { checkAddress } from '../../accounts/credentials.ts';
import { record } from '../../activity/record.ts';
import { timeIn } from '../../database/clock.ts';
import type { Db, Owned } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { dropActions } from '../actions/store.ts';
import { leaseEnded } from '../errors.ts';
import { lockLease } from '../lock.ts';

const maxShares = 20;

/** Keeps an account from flooding the list of another. */
const maxWithAddress = 50;

export function listShares(db: Db, leaseId: string) {
	return db
		.selectFrom('lease_shares')
		.select(['email', 'access', 'created_at'])
		.where('lease_id', '=', leaseId)
		.orderBy('email')
		.execute();
}

interface Shared extends Owned {
	email: string;
	access: (typeof shareAccess)[number];
}

/** Needs a transaction. */
export async function storeShare(db: Db, { accountId, id, access, email: given }: Shared) {
	const email = addressOf(given);
	const lease = await lockLease(db, id);
	if (lease.status === 'ended') throw leaseEnded(lease);
	const shares = await listShares(db, id);
	const before = shares.find((share) => share.email === email);
	if (before?.access === access) return before;
	if (!before) await limitShares(db, { accountId, email }, shares.length);
	await record(db, { kind: 'lease.shared', accountId, subjectId: id, details: { email, access } });
	const shared = await db
		.insertInto('lease_shares')
		.values({ lease_id: id, email, access, created_at: timeIn(db) })
		.onConflict((conflict) => conflict.columns(['lease_id', 'email']).doUpdateSet({ access }))
		.returning(['email', 'access', 'created_at'])
		.executeTakeFirstOrThrow();
	await dropActions(db, id);
	return shared;
}

async function limitShares(
	db: Db,
	{ accountId, email }: Omit<Shared, 'access' | 'id'>,
	shares: number,
) {
	if (shares >= maxShares) {
		const message = `A lease is shared with at most ${maxShares} addresses.`;
		throw new ApiError('share_limit', message, { hint: 'Stop sharing it with another one first.' });
	}
	const { leases } = await db
		.selectFrom('lease_shares')
		.innerJoin('leases', 'leases.id', 'lease_id')
		.select(({ fn }) => fn.countAll().as('leases'))
		.where('account_id', '=', accountId)
		.where('email', '=', email)
		.executeTakeFirstOrThrow();
	if (Number(leases) < maxWithAddress) return;
	const message = `You share ${maxWithAddress} leases with this address, which is the maximum.`;
	throw new ApiError('share_limit', message, {
		hint: 'Stop sharing one that has ended. A day after its end, a lease no longer counts.',
	});
}

/** Finds what an earlier request has shared, unless that has changed since. */
export async function findShare(db: Db, { access, email, id }: Shared) {
	const shares = await listShares(db, id);
	const share = shares.find((each) => each.email === addressOf(email) && each.access === access);
	if (share) return share;
	const message = 'What this Idempotency-Key has shared was changed since.';
	throw new ApiError('idempotency_conflict', message, {
		hint: 'Use a new key to share the lease again.',
	});
}

/** Needs a transaction. */
export async function deleteShare(db: Db, { accountId, id, email: given }: Omit<Shared, 'access'>) {
	const email = addressOf(given);
	await lockLease(db, id);
	const shares = db.deleteFrom('lease_shares').where('lease_id', '=', id);
	const { numDeletedRows } = await shares.where('email', '=', email).executeTakeFirst();
	if (numDeletedRows === 0n) return;
	await record(db, { kind: 'lease.unshared', accountId, subjectId: id, details: { email } });
	await dropActions(db, id);
}

function addressOf(email: string) {
	checkAddress(email);
	return email.toLowerCase();
}
