// The shares of a lease, and who may do what with it: its holder, those with whom it is shared, administrators.
import { leaseAccess, type shareAccess } from 'board-access-contract';
import { checkAddress } from '../../accounts/credentials.ts';
import { timeIn } from '../../database/clock.ts';
import type { Db, LeaseRow, Owned } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import { leaseEnded, noSuchLease } from '../errors.ts';
import { lockLease } from '../holder.ts';

const mostShares = 20;

export type Access = (typeof leaseAccess)[number];

/** Who asks for a lease. */
export interface Asker extends Owned {
	/** Whether with the rights of an administrator. */
	isAdmin?: boolean;
}

/** The lease, what the one who asks may do with it, and the holder's own name of it. */
export interface Accessible {
	lease: LeaseRow;
	access: Access;
	owned: Owned;
}

/** The leases that are shared with an account, by the address that it has verified: anybody can sign up with another one. */
export function sharesWith(db: Db, accountId: string) {
	return db
		.selectFrom('lease_shares')
		.innerJoin('accounts', 'accounts.email', 'lease_shares.email')
		.select(['lease_id', 'access'])
		.where('accounts.id', '=', accountId)
		.where('verified_at', 'is not', null)
		.as('shares');
}

/** The lease, if this is enough. One that the account may not even see does not exist for it. */
export async function ownedFor(
	db: Db,
	{ accountId, id, isAdmin }: Asker,
	needed: Access,
): Promise<Accessible> {
	const found = await db
		.selectFrom('leases')
		.leftJoin(sharesWith(db, accountId), 'shares.lease_id', 'leases.id')
		.selectAll('leases')
		.select('shares.access as shared')
		.where('leases.id', '=', id)
		.executeTakeFirstOrThrow(() => noSuchLease());
	const { shared, ...lease } = found;
	const access = lease.account_id === accountId ? 'hold' : (shared ?? (isAdmin ? 'look' : null));
	if (access === null) throw noSuchLease();
	if (leaseAccess.indexOf(access) >= leaseAccess.indexOf(needed)) {
		return { lease, access, owned: { accountId: lease.account_id, id } };
	}
	if (needed === 'hold') {
		throw new ApiError('access_insufficient', 'Only the holder of this lease can do this.');
	}
	const message = isAdmin
		? 'Administrators only look at the leases of others.'
		: 'The holder shared this lease with you to look, not to type.';
	throw new ApiError('access_insufficient', message, { hint: 'The holder can let you type.' });
}

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

/** Shares a lease with whoever has the address. Nothing shows whether there is such an account. */
export async function shareLease(db: Db, { access, email: given, ...owned }: Shared) {
	const share = { lease_id: owned.id, email: addressOf(given) };
	return inTransaction(db, async (db) => {
		const lease = await lockLease(db, owned.id);
		if (lease?.account_id !== owned.accountId) throw noSuchLease();
		if (lease.status === 'ended') throw leaseEnded(lease);
		const others = (await listShares(db, owned.id)).filter(({ email }) => email !== share.email);
		if (others.length >= mostShares) {
			const message = `A lease is shared with at most ${mostShares} addresses.`;
			throw new ApiError('lease_limit', message, {
				hint: 'Stop sharing it with another one first.',
			});
		}
		return db
			.insertInto('lease_shares')
			.values({ ...share, access, created_at: timeIn(db) })
			.onConflict((conflict) => conflict.columns(['lease_id', 'email']).doUpdateSet({ access }))
			.returning(['email', 'access', 'created_at'])
			.executeTakeFirstOrThrow();
	});
}

/** Stops sharing it with an address, whether or not it was. */
export async function unshareLease(db: Db, { id, email }: Pick<Shared, 'id' | 'email'>) {
	const shares = db.deleteFrom('lease_shares').where('lease_id', '=', id);
	await shares.where('email', '=', addressOf(email)).execute();
}

/** As accounts have it. */
function addressOf(email: string) {
	checkAddress(email);
	return email.toLowerCase();
}
