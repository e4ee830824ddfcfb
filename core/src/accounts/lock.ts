// What an account has (keys, leases, credits) is decided by one transaction at a time.

import { locking } from '../database/locks.ts';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

/**
 * Makes others that lock the account wait until this transaction has ended. Rejects an account that
 * was disabled or deleted after the request was authenticated.
 */
export async function lockAccount(transaction: Db, accountId: string, rejection = accountDisabled) {
	const account = await lockCounts(transaction, accountId);
	if (account?.disabled_at !== null) throw rejection();
	return account;
}

/** What an account counts, which nobody else changes until this transaction has ended. */
export function lockCounts(transaction: Db, accountId: string) {
	return (
		transaction
			.selectFrom('accounts')
			.select(['disabled_at', 'balance', 'held_credits', 'live_leases', 'queued_leases'])
			.where('id', '=', accountId)
			// A transaction on SQLite is alone from its beginning.
			.$call(locking(transaction, 'accounts'))
			.executeTakeFirst()
	);
}

export function accountDisabled() {
	return new ApiError('api_key_revoked', 'The account is disabled or deleted.');
}

/** Rejects a change after which no administrator would be left to repair the service on its pages. */
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
