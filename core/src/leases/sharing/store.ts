// The shares of a lease, which its holder decides. Each change is in the activity log of the holder.
import type { shareAccess } from 'board-access-contract';
import { checkAddress } from '../../accounts/credentials.ts';
import { record } from '../../activity/record.ts';
import { once } from '../../claims.ts';
import { timeIn } from '../../database/clock.ts';
import type { Db, Owned } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import type { Command } from '../../gate.ts';
import { dropActions } from '../actions/store.ts';
import { leaseEnded } from '../errors.ts';
import { lockLease } from '../lock.ts';
import { accessTo } from './access.ts';

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
async function storeShare(db: Db, { accountId, id, access, email: given }: Shared) {
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
async function findShare(db: Db, { access, email, id }: Shared) {
	const shares = await listShares(db, id);
	const share = shares.find((each) => each.email === addressOf(email) && each.access === access);
	if (share) return share;
	const message = 'What this Idempotency-Key has shared was changed since.';
	throw new ApiError('idempotency_conflict', message, {
		hint: 'Use a new key to share the lease again.',
	});
}

/** Needs a transaction. */
async function deleteShare(db: Db, { accountId, id, email: given }: Omit<Shared, 'access'>) {
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
