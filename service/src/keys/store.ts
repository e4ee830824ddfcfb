// API keys in the database. A key is held as its SHA-256 and nothing else.
import type { Kysely } from 'kysely';
import { type PageRequest, pageFrom } from '../database/pagination.ts';
import type { Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import { ApiError } from '../errors.ts';
import { generateKey, hashKey, keyHint, keyIdFrom } from './secret.ts';

const record = ['id', 'label', 'hint', 'created_at', 'last_used_at', 'revoked_at'] as const;

/** Makes a key for an account. The answer is the only place where the key itself appears. */
export async function createKey(
	db: Kysely<Schema>,
	{ accountId, label }: { accountId: string; label?: string | undefined },
) {
	const key = generateKey();
	const hash = hashKey(key);
	const row = await db
		.insertInto('api_keys')
		.values({
			id: keyIdFrom(hash),
			account_id: accountId,
			hash,
			hint: keyHint(key),
			label: label || null,
			created_at: now(),
			last_used_at: null,
			revoked_at: null,
		})
		.returning(record)
		.executeTakeFirstOrThrow();
	return { ...row, key };
}

/** One page of an account's keys, newest first. */
export async function listKeys(
	db: Kysely<Schema>,
	{ accountId, includeRevoked }: { accountId: string; includeRevoked: boolean },
	{ limit, after }: PageRequest,
) {
	let query = db.selectFrom('api_keys').select(record).where('account_id', '=', accountId);
	if (!includeRevoked) query = query.where('revoked_at', 'is', null);
	if (after) {
		query = query.where(({ eb, refTuple, tuple }) =>
			eb(refTuple('created_at', 'id'), '<', tuple(...after)),
		);
	}
	const rows = await query
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.limit(limit + 1)
		.execute();
	const list = keyList(accountId, includeRevoked);
	return pageFrom(rows, { list, limit, place: (row) => [row.created_at, row.id] });
}

/** The name of a list of keys, to which its cursors are bound. */
export function keyList(accountId: string, includeRevoked: boolean) {
	return `keys ${accountId} ${includeRevoked}`;
}

export function findKey(db: Kysely<Schema>, { accountId, id }: { accountId: string; id: string }) {
	return db
		.selectFrom('api_keys')
		.select(record)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
}

/** The fault for a key that is not there, or that is somebody else's. */
export function noSuchKey() {
	return new ApiError('key_not_found', 'No such API key exists.');
}

/** Revokes an account's key, once: a second time answers the first time's record. */
export async function revokeKey(
	db: Kysely<Schema>,
	{ accountId, id }: { accountId: string; id: string },
) {
	return db
		.updateTable('api_keys')
		.set(({ fn, val, ref }) => ({ revoked_at: fn.coalesce(ref('revoked_at'), val(now())) }))
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.returning(record)
		.executeTakeFirst();
}

/** Revokes an account's key if it is live and no use of it is known. */
export function revokeUnusedKey(
	db: Kysely<Schema>,
	{ accountId, id }: { accountId: string; id: string },
) {
	return db
		.updateTable('api_keys')
		.set({ revoked_at: now() })
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.where('last_used_at', 'is', null)
		.where('revoked_at', 'is', null)
		.returning(record)
		.executeTakeFirst();
}
