// Finds the account of a key: one indexed lookup by its hash, on every request.
import type { Database } from '../database/database.ts';
import { runPrepared } from '../database/prepared.ts';
import { hashKey } from './secret.ts';

export async function findKeyOwner(database: Database, key: string) {
	const [owner] = await runPrepared(database, {
		name: 'key owner',
		values: { hash: hashKey(key) },
		build: (db, { hash }) =>
			db
				.selectFrom('api_keys')
				.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
				.select([
					'api_keys.id as keyId',
					'api_keys.revoked_at as revokedAt',
					'api_keys.expires_at as expiresAt',
					'api_keys.scope',
					'api_keys.last_used_at as lastUsedAt',
					'accounts.id as accountId',
					'accounts.role',
					'accounts.disabled_at as disabledAt',
				])
				.where('api_keys.hash', '=', hash),
	});
	return owner;
}
