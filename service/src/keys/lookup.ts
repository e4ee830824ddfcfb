// Finds the account of a key: one indexed lookup by its hash, on every request.
import type { Database } from '../database/database.ts';
import { runPlain } from '../database/plain.ts';
import { boardsRevision } from '../database/revisions.ts';
import type { AccountRow, ApiKeyRow } from '../database/schema.ts';
import { hashKey } from './secret.ts';

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

/** Returns a function that finds the owner of a key. */
export function createKeyLookup(database: Database) {
	const find = database.pool ? findTogether(database) : findOne(database);
	return (key: string) => find(hashKey(key));
}

function findOne(database: Database) {
	return async (hash: string) => {
		const [owner] = await runPlain<KeyOwner>(database, {
			name: 'key owner',
			text: `${text} = ?`,
			values: [hash],
		});
		return owner;
	};
}

/** Looks up the keys of all waiting requests in one query, which starts after they arrived. */
function findTogether(database: Database) {
	let next: { hashes: Set<string>; owners: Promise<Map<string, KeyOwner>> } | undefined;
	const open = () => {
		const hashes = new Set<string>();
		const owners = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
			next = undefined;
			const rows = await runPlain<KeyOwner>(database, {
				name: 'key owners',
				text: `${text} = any(?)`,
				values: [[...hashes]],
			});
			return new Map(rows.map((row) => [row.hash, row]));
		});
		return { hashes, owners };
	};
	return async (hash: string) => {
		next ??= open();
		next.hashes.add(hash);
		return (await next.owners).get(hash);
	};
}

const text = `select api_keys.hash, api_keys.id as "keyId", api_keys.revoked_at as "revokedAt",
	api_keys.expires_at as "expiresAt", api_keys.scope, api_keys.last_used_at as "lastUsedAt",
	accounts.id as "accountId", accounts.role, accounts.disabled_at as "disabledAt",
	${boardsRevision} as "boardsRevision"
	from api_keys inner join accounts on accounts.id = api_keys.account_id
	where api_keys.hash`;
