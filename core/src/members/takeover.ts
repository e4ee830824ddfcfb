// Somebody may have signed up with the address of another person. When that person resets the password, everything of
// the other one is removed.
import { lockCounts } from '../accounts/lock.ts';
import { disableTwoFactor } from '../accounts/two-factor.ts';
import type { Db } from '../database/schema.ts';
import { revokeAllKeys } from '../keys/store.ts';
import { endLeasesOf } from '../leases/ending/release.ts';
import { emptyLeases } from './stop.ts';

export async function takeOver(transaction: Db, accountId: string) {
	// First, because a repeated request also locks its claim before its account.
	await transaction.deleteFrom('idempotency').where('account_id', '=', accountId).execute();
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
