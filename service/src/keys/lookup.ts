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

/**
 * Returns a function that finds the owner of a key. Requests that arrive in one turn of the event loop
 * share a query, which starts after they arrived. On SQLite the first of them does not wait for the others.
 */
export function createKeyLookup(database: Database) {
	let turn: { hashes: Set<string>; owners: Promise<Map<string, KeyOwner>> } | undefined;
	const begin = () => {
		const hashes = new Set<string>();
		const owners = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
			turn = undefined;
			return findOwners(database, hashes);
		});
		return { hashes, owners };
	};
	return async (key: string) => {
		const hash = hashKey(key);
		if (!turn) {
			turn = begin();
			if (!database.pool) return findOwner(database, hash);
		}
		turn.hashes.add(hash);
		return (await turn.owners).get(hash);
	};
}

async function findOwner(database: Database, hash: string) {
	const [owner] = await runPlain<KeyOwner>(database, { text: oneOnSqlite, values: [hash] });
	return owner;
}

async function findOwners(database: Database, hashes: ReadonlySet<string>) {
	if (hashes.size === 0) return new Map<string, KeyOwner>();
	const rows = await runPlain<KeyOwner>(database, {
		name: 'key owners',
		text: database.pool ? onPostgres : onSqlite,
		values: [database.pool ? [...hashes] : JSON.stringify([...hashes])],
	});
	return new Map(rows.map((row) => [row.hash, row]));
}

const text = `select api_keys.hash, api_keys.id as "keyId", api_keys.revoked_at as "revokedAt",
	api_keys.expires_at as "expiresAt", api_keys.scope, api_keys.last_used_at as "lastUsedAt",
	accounts.id as "accountId", accounts.role, accounts.disabled_at as "disabledAt",
	${boardsRevision} as "boardsRevision"
	from api_keys inner join accounts on accounts.id = api_keys.account_id
	where api_keys.hash`;

// Written once: the prepared statement is found by its text.
const oneOnSqlite = `${text} = ?`;
const onSqlite = `${text} in (select value from json_each(?))`;
const onPostgres = `${text} = any(?)`;
