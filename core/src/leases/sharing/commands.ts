// Sharing a lease, which its holder decides, and leaving it.
import type { shareAccess } from 'board-access-contract';
import { type Claim, once } from '../../claims.ts';
import type { Caller, Core } from '../../core.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import { accessTo } from './access.ts';
import { deleteShare, findShare, listShares, storeShare } from './store.ts';

export async function sharesOf(core: Core, caller: Caller, id: string) {
	await accessTo(core.database.query, { ...caller, id }, 'hold');
	return listShares(core.database.query, id);
}

interface Share {
	id: string;
	email: string;
	access: (typeof shareAccess)[number];
}

/** The result does not reveal whether the address has an account. */
export async function shareLease(
	core: Core,
	caller: Caller,
	{ id, ...share }: Share,
	claim?: Claim,
) {
	const { owned, lease } = await accessTo(core.database.query, { ...caller, id }, 'hold');
	const wanted = { ...owned, ...share };
	const { result, replayed } = await once(core, claim, {
		create: async (db) => ({ id, share: await storeShare(db, wanted) }),
		// A late retry does not share the lease again.
		replay: async (db) => ({ id, share: await findShare(db, wanted) }),
		mismatch: 'idempotency_conflict',
	});
	if (!replayed) await core.dispatch({ leases: [lease] });
	return { result: result.share, replayed };
}

export async function unshareLease(
	core: Core,
	caller: Caller,
	{ id, email }: Omit<Share, 'access'>,
	claim?: Claim,
) {
	const { owned, lease } = await accessTo(core.database.query, { ...caller, id }, 'hold');
	const { replayed } = await once(core, claim, {
		create: async (db) => {
			await deleteShare(db, { ...owned, email });
			return owned;
		},
		replay: async () => owned,
		mismatch: 'idempotency_conflict',
	});
	await core.dispatch({ leases: [lease] });
	return { result: undefined, replayed };
}

/** Ends the caller's own share. */
export async function leaveLease(core: Core, { accountId }: Caller, id: string) {
	const lease = await inTransaction(core.database.query, async (db) => {
		const { lease, owned, sharedAs } = await accessTo(db, { accountId, id }, 'look');
		if (sharedAs === null) {
			const hint = 'Release it instead.';
			throw new ApiError('access_insufficient', 'You hold this lease.', { hint });
		}
		await deleteShare(db, { ...owned, email: sharedAs });
		return lease;
	});
	await core.dispatch({ leases: [lease] });
}
