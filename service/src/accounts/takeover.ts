// Whoever resets the password of an account whose address nobody had shown to be theirs may not be the one who signed
// up with it. Nothing that the other one had works afterwards, and what they wrote, uploaded and read is gone.
import type { Db, Schema } from '../database/schema.ts';
import { revokeAllKeys } from '../keys/store.ts';
import { endLeasesOf } from '../leases/ending/release.ts';
import { emptyLeases } from './delete.ts';
import { lockCounts } from './lock.ts';
import { disableTwoFactor } from './two-factor.ts';

/** What a takeover does with each table that names an account. A test compares it with the schema. */
export const takeover = {
	accounts: 'without two-factor authentication; the role and the credits were given to the address',
	api_keys: 'revoked',
	idempotency: 'deleted',
	favorite_boards: 'deleted',
	saved_filters: 'deleted',
	two_factor: 'deleted',
	recovery_codes: 'deleted',
	credentials: 'replaced by every reset',
	sessions: 'deleted by every reset',
	known_devices: 'deleted by every reset',
	account_links: 'deleted by every reset, a change of the address among them',
	leases: 'ended and charged',
	boards: 'returned with the lease',
	files: 'deleted with what else its leases have',
	file_contents: 'deleted',
	lease_shares: 'deleted for its leases; what others share with the address is for its owner',
	lease_actions: 'deleted for its leases; what it requested of others is theirs',
	credit_entries: 'kept',
	activity: 'kept, so that the owner can read what was done',
} as const satisfies Partial<Record<keyof Schema, string>>;

/** Returns the leases that ended, and what the activity says of it. */
export async function takeOver(transaction: Db, accountId: string) {
	// First, because a retried request also locks its record before its account.
	for (const table of ['idempotency', 'favorite_boards', 'saved_filters'] as const) {
		await transaction.deleteFrom(table).where('account_id', '=', accountId).execute();
	}
	await lockCounts(transaction, accountId);
	const keys = await revokeAllKeys(transaction, accountId);
	await disableTwoFactor(transaction, accountId);
	const ended = await endLeasesOf(transaction, { account_id: accountId }, ({ status }) => ({
		reason: status === 'queued' ? 'cancelled' : 'released',
		message: 'The password of the account was reset by the owner of its address.',
	}));
	await emptyLeases(transaction, accountId);
	return { ended, details: { keys: keys.length, leases: ended.length } };
}
