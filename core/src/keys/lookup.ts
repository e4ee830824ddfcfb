// Finds the account of a key by its hash, on every request.
import { hash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { createLookup } from '../database/lookup.ts';
import { boardsRevision } from '../database/revisions.ts';
import type { AccountRow, ApiKeyRow } from '../database/schema.ts';

interface KeyOwner {
	hash: string;
	keyId: string;
	revokedAt: string | null;
	expiresAt: string | null;
	scope: ApiKeyRow['scope'];
	lastUsedAt: string | null;
	accountId: string;
	role: AccountRow['role'];
	disabledAt: string | null;
	boardsRevision: number;
}

export function findKeyOwner(database: Database, key: string) {
	return find(database, hash('sha256', key));
}

const find =
	createLookup<KeyOwner>(`select api_keys.hash, api_keys.id as "keyId", api_keys.revoked_at as "revokedAt",
	api_keys.expires_at as "expiresAt", api_keys.scope, api_keys.last_used_at as "lastUsedAt",
	accounts.id as "accountId", accounts.role, accounts.disabled_at as "disabledAt",
	${boardsRevision} as "boardsRevision"
	from api_keys inner join accounts on accounts.id = api_keys.account_id
	where api_keys.hash`);
