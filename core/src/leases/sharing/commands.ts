// Sharing a lease, which its holder decides, and leaving it.
import { once } from '../../claims.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import type { Command } from '../../gate.ts';
import { accessTo } from './access.ts';
import { deleteShare, findShare, listShares, storeShare } from './store.ts';

export const sharesOf: Command<'listShares'> = async (core, caller, { ids }) => {
	await accessTo(core.database.query, { ...caller, ...ids }, 'hold');
	return { data: await listShares(core.database.query, ids.id), next_cursor: null };
};

/** The result does not reveal whether the address has an account. */
export const shareLease: Command<'shareLease'> = async (core, caller, { ids, input, claim }) => {
	const { owned, lease } = await accessTo(core.database.query, { ...caller, ...ids }, 'hold');
	const wanted = { ...owned, ...input };
	const { result, replayed } = await once(core, claim, {
		create: async (db) => ({ ...ids, share: await storeShare(db, wanted) }),
		// A late retry does not share the lease again.
		replay: async (db) => ({ ...ids, share: await findShare(db, wanted) }),
		mismatch: 'idempotency_conflict',
	});
	if (!replayed) await core.dispatch({ leases: [lease] });
	return { result: result.share, replayed };
};

export const unshareLease: Command<'unshareLease'> = async (
	core,
	caller,
	{ ids, input, claim },
) => {
	const { owned, lease } = await accessTo(core.database.query, { ...caller, ...ids }, 'hold');
	const { replayed } = await once(core, claim, {
		create: async (db) => {
			await deleteShare(db, { ...owned, ...input });
			return owned;
		},
		replay: async () => owned,
		mismatch: 'idempotency_conflict',
	});
	await core.dispatch({ leases: [lease] });
	return { result: undefined, replayed };
};

/** Ends the caller's own share. */
export const leaveLease: Command<'leaveLease'> = async (core, { accountId }, { ids }) => {
	const lease = await inTransaction(core.database.query, async (db) => {
		const { lease, owned, sharedAs } = await accessTo(db, { accountId, ...ids }, 'look');
		if (sharedAs === null) {
			const hint = 'Release it instead.';
			throw new ApiError('access_insufficient', 'You hold this lease.', { hint });
		}
		await deleteShare(db, { ...owned, email: sharedAs });
		return lease;
	});
	await core.dispatch({ leases: [lease] });
};
