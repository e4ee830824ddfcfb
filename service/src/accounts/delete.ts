// Deleting an account: nothing of it works any more, and its address can be used again. Its row stays
// without the address, because the ledger and the leases refer to it.

import { record } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { endLeasesOf } from '../leases/ending/release.ts';
import { keepLastAdmin } from './lock.ts';

const personal = [
	'credentials',
	'sessions',
	'known_devices',
	'two_factor',
	'recovery_codes',
] as const;

/** Deletes an account, and returns the leases that ended with it. */
export function deleteAccount(db: Db, id: string) {
	return db.transaction().execute(async (transaction) => {
		// First, because a retried request also locks its record before its account.
		await transaction.deleteFrom('idempotency').where('account_id', '=', id).execute();
		await keepLastAdmin(transaction, id, 'deleted');
		const email = await emptyAccount(transaction, id);
		await transaction.deleteFrom('account_links').where('email', '=', email).execute();
		for (const table of personal) {
			await transaction.deleteFrom(table).where('account_id', '=', id).execute();
		}
		await transaction
			.updateTable('api_keys')
			.set({ revoked_at: timeIn(transaction) })
			.where('account_id', '=', id)
			.where('revoked_at', 'is', null)
			.execute();
		const ended = await endLeasesOf(transaction, { account_id: id }, ({ status }) => ({
			reason: status === 'queued' ? 'cancelled' : 'released',
			message: 'The account was deleted.',
		}));
		const details = { leases: ended.length };
		await record(transaction, { kind: 'account.deleted', accountId: id, details });
		return ended;
	});
}

/** Takes what is personal from the row, and returns the address. */
async function emptyAccount(transaction: Db, id: string) {
	const account = await transaction
		.selectFrom('accounts')
		.select('email')
		.where('id', '=', id)
		.where('deleted_at', 'is', null)
		.executeTakeFirst();
	if (!account) throw new ApiError('not_found', 'There is no such account.');
	const time = timeIn(transaction);
	const empty = {
		email: `deleted ${id}`,
		role: 'user',
		verified_at: null,
		two_factor_at: null,
	} as const;
	await transaction
		.updateTable('accounts')
		.set({ ...empty, disabled_at: time, deleted_at: time })
		.where('id', '=', id)
		.execute();
	return account.email;
}
