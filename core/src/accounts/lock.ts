// One transaction at a time decides about the keys, leases and credits of an account.
import { locking } from '../database/locks.ts';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

/** Locks an account, and rejects one that was disabled or deleted after the request was authenticated. */
export async function lockAccount(transaction: Db, accountId: string, rejection = accountDisabled) {
	const account = await lockCounts(transaction, accountId);
	if (account?.disabled_at !== null) throw rejection();
	return account;
}

/** Locks an account, and returns its credits. */
export function lockCounts(transaction: Db, accountId: string) {
	return transaction
		.selectFrom('accounts')
		.select(['disabled_at', 'balance', 'held_credits'])
		.where('id', '=', accountId)
		.$call(locking(transaction, 'accounts'))
		.executeTakeFirst();
}

export function accountDisabled() {
	return new ApiError('api_key_revoked', 'The account is disabled or deleted.');
}

/** Rejects a change that would leave no administrator. */
export async function keepLastAdmin(
	transaction: Db,
	id: string,
	change: 'deleted' | 'disabled' | 'made a user',
) {
	const admins = await transaction
		.selectFrom('accounts')
		.select('id')
		.where('role', '=', 'admin')
		.where('disabled_at', 'is', null)
		.orderBy('id')
		// Two administrators who stop each other must not both succeed.
		.$call(locking(transaction, 'accounts'))
		.execute();
	if (admins.length > 1 || admins[0]?.id !== id) return;
	throw new ApiError('invalid_request', `The last administrator cannot be ${change}.`, {
		hint: 'Make another account an administrator first.',
	});
}
