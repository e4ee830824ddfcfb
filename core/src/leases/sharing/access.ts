// Who may do what with a lease: its holder, colleagues with whom it is shared, and administrators.
import { leaseAccess } from 'board-access-contract';
import { recordDaily } from '../../activity/record.ts';
import type { Caller } from '../../core.ts';
import type { Db, LeaseRow, Owned } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { noSuchLease } from '../errors.ts';

export type Access = (typeof leaseAccess)[number];

type Asking = Pick<Caller, 'accountId' | 'isAdmin'> & { id: string };

export interface Accessible {
	lease: LeaseRow;
	access: Access;
	/** The address of the colleague; null for the holder, and for an administrator who watches. */
	sharedAs: string | null;
	/** Whether the caller may see the addresses of colleagues. */
	seesColleagues: boolean;
	/** Whether an administrator looks at a lease that is not shared with them. */
	watches: boolean;
	owned: Owned;
}

/** The leases that are shared with an account. Its address must be verified, because anybody can sign up with it. */
export function sharesWith(db: Db, accountId: string) {
	return db
		.selectFrom('lease_shares')
		.innerJoin('accounts', 'accounts.email', 'lease_shares.email')
		.select(['lease_id', 'access', 'accounts.email'])
		.where('accounts.id', '=', accountId)
		.where('verified_at', 'is not', null)
		.as('shares');
}

/** Throws unless the caller has the needed access. A lease that they may not see does not exist for them. */
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

/** The same, and records it when an administrator watches. */
export async function openLease(db: Db, asking: Asking, needed: Access) {
	const found = await accessTo(db, asking, needed);
	if (found.watches) {
		const { accountId, id: subjectId } = found.owned;
		await recordDaily(db, { kind: 'lease.viewed', accountId, subjectId });
	}
	return found;
}
