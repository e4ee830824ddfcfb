// Who may do what with a lease: its holder, those with whom it is shared, administrators.
import { leaseAccess } from 'board-access-contract';
import { recordDaily } from '../../activity/record.ts';
import type { Caller } from '../../core.ts';
import type { Db, LeaseRow, Owned } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { noSuchLease } from '../errors.ts';

export type Access = (typeof leaseAccess)[number];

/** Who asks for which lease. */
type Asking = Pick<Caller, 'accountId' | 'isAdmin'> & { id: string };

/** The lease, what the one who asks may do with it, and the holder's own name of it. */
export interface Accessible {
	lease: LeaseRow;
	access: Access;
	/** The address by which it is shared with them; null for the holder, and for administrators who watch. */
	sharedAs: string | null;
	/** Whether they may read the addresses of those with whom it is shared. */
	seesColleagues: boolean;
	/** Whether they look only because they are administrators: the holder has not shared it with them. */
	watches: boolean;
	owned: Owned;
}

/** The leases that are shared with an account, by the address that it has verified: anybody can sign up with another one. */
export function sharesWith(db: Db, accountId: string) {
	return db
		.selectFrom('lease_shares')
		.innerJoin('accounts', 'accounts.email', 'lease_shares.email')
		.select(['lease_id', 'access', 'accounts.email'])
		.where('accounts.id', '=', accountId)
		.where('verified_at', 'is not', null)
		.as('shares');
}

/** The lease, if this is enough. One that the account may not even see does not exist for it. */
export async function accessTo(
	db: Db,
	{ accountId, id, isAdmin }: Asking,
	needed: Access,
): Promise<Accessible> {
	const found = await db
		.selectFrom('leases')
		.leftJoin(sharesWith(db, accountId), 'shares.lease_id', 'leases.id')
		.selectAll('leases')
		.select(['shares.access as shared', 'shares.email as sharedAs'])
		.where('leases.id', '=', id)
		.executeTakeFirstOrThrow(() => noSuchLease());
	const { shared, sharedAs, ...lease } = found;
	const access = lease.account_id === accountId ? 'hold' : (shared ?? (isAdmin ? 'look' : null));
	if (access === null) throw noSuchLease();
	if (leaseAccess.indexOf(access) >= leaseAccess.indexOf(needed)) {
		const isHolder = access === 'hold';
		return {
			lease,
			access,
			sharedAs: isHolder ? null : sharedAs,
			seesColleagues: isHolder || Boolean(isAdmin),
			watches: !isHolder && sharedAs === null,
			owned: { accountId: lease.account_id, id },
		};
	}
	if (needed === 'hold') {
		throw new ApiError('access_insufficient', 'Only the holder of this lease can do this.');
	}
	const message = isAdmin
		? 'Administrators only look at the leases of others.'
		: 'The holder shared this lease with you to look, not to type.';
	throw new ApiError('access_insufficient', message, { hint: 'The holder can let you type.' });
}

/** The same, which is recorded when an administrator watches. */
export async function openLease(db: Db, asking: Asking, needed: Access) {
	const found = await accessTo(db, asking, needed);
	if (found.watches) {
		const { accountId, id: subjectId } = found.owned;
		await recordDaily(db, { kind: 'lease.viewed', accountId, subjectId });
	}
	return found;
}
