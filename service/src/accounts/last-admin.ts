// A service without an administrator could only be repaired on the command line.

import { onPostgres } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

/** Refuses a change after which no administrator would be left. */
export async function refuseLastAdmin(
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
		.$if(onPostgres(transaction), (query) => query.forNoKeyUpdate())
		.execute();
	if (admins.length > 1 || admins[0]?.id !== id) return;
	throw new ApiError('invalid_request', `The last administrator cannot be ${change}.`, {
		hint: 'Make another account an administrator first.',
	});
}
