// Whoever resets the password of an account whose address nobody had shown to be theirs may not be the one who signed
// up with it. Nothing that the other one had works afterwards, and what they wrote, uploaded and read is gone.
import { lockCounts } from '../accounts/lock.ts';
import { disableTwoFactor } from '../accounts/two-factor.ts';
import type { Db } from '../database/schema.ts';
import { revokeAllKeys } from '../keys/store.ts';
import { endLeasesOf } from '../leases/ending/release.ts';
import { emptyLeases } from './stop.ts';

/** Returns what the end of its leases means for others, and what the activity says of it. */
export async function takeOver(transaction: Db, accountId: string) {
	// First, because a retried request also locks its record before its account.
	for (const table of ['idempotency', 'favorite_boards', 'saved_filters'] as const) {
		await transaction.deleteFrom(table).where('account_id', '=', accountId).execute();
	}
	await lockCounts(transaction, accountId);
	await disableTwoFactor(transaction, accountId);
	const ended = await endLeasesOf(transaction, accountId, ({ status }) => ({
		reason: status === 'queued' ? 'cancelled' : 'released',
		message: 'The password of the account was reset by the owner of its address.',
	}));
	const keys = await revokeAllKeys(transaction, accountId);
	await emptyLeases(transaction, accountId);
	return { ended, details: { keys: keys.length, leases: ended.leases?.length ?? 0 } };
}
