// What an account has (keys, leases, credits) is decided by one transaction at a time.

import { onPostgres } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

/**
 * Makes others that lock the account wait until this transaction has ended. Refuses an account that
 * was disabled or deleted after the request was authenticated.
 */
export async function lockAccount(
	transaction: Db,
	accountId: string,
	refusal = () => new ApiError('api_key_revoked', 'The account is disabled or deleted.'),
) {
	const account = await transaction
		.selectFrom('accounts')
		.select('disabled_at')
		.where('id', '=', accountId)
		// A transaction on SQLite is alone from its beginning.
		.$if(onPostgres(transaction), (query) => query.forNoKeyUpdate())
		.executeTakeFirst();
	if (account?.disabled_at !== null) throw refusal();
}
