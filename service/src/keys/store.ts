// API keys in the database. Only the SHA-256 of a key is stored.
import { apiKeyIdFrom } from 'board-access-contract';
import { lockAccount } from '../accounts/lock.ts';
import { record as recordChange } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import { newestFirst, type PageRequest } from '../database/pagination.ts';
import type { ApiKeyRow, Db, Owned } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { invalid } from '../validation.ts';
import { generateKey, hashKey, keyHint } from './secret.ts';

export const record = [
	'id',
	'label',
	'hint',
	'scope',
	'created_at',
	'created_by',
	'expires_at',
	'last_used_at',
	'revoked_at',
] as const;

type KeyRecord = Pick<ApiKeyRow, (typeof record)[number]>;

/** The fields of a new key; everything except the account is optional. */
export interface NewKey {
	accountId: string;
	label?: string | null | undefined;
	scope?: ApiKeyRow['scope'] | undefined;
	/** By default, it expires with the key that creates it. */
	expiresAt?: string | null | undefined;
	/** The key that the request came with. */
	createdBy?: string | undefined;
}

/** Creates a key for an account. The full key is returned only here. */
export function createKey(db: Db, wanted: NewKey) {
	return inTransaction(db, async (transaction) => {
		const created = await insertKey(transaction, wanted);
		await recordKey(transaction, 'key.created', { ...created, account_id: wanted.accountId });
		return created;
	});
}

function recordKey(
	db: Db,
	kind: 'key.created' | 'key.revoked',
	{ id, account_id: accountId, label, hint, scope }: KeyRecord & { account_id: string },
) {
	return recordChange(db, { kind, accountId, subjectId: id, details: { label, hint, scope } });
}

async function insertKey(db: Db, wanted: NewKey) {
	const { accountId, label, scope = 'full', createdBy = null } = wanted;
	const key = generateKey();
	const hash = hashKey(key);
	const row = await db
		.insertInto('api_keys')
		.values({
			id: apiKeyIdFrom(hash),
			account_id: accountId,
			hash,
			hint: keyHint(key),
			label: label || null,
			scope,
			created_by: createdBy,
			expires_at: await expiryOf(db, wanted),
			created_at: timeIn(db),
		})
		.returning(record)
		.executeTakeFirstOrThrow();
	return { ...row, key };
}

/** When a new key expires: no later than the key that creates it. */
async function expiryOf(db: Db, { accountId, expiresAt, createdBy }: NewKey) {
	// In the format of all timestamps, so that they compare as text.
	const wanted = expiresAt && new Date(expiresAt).toISOString();
	if (createdBy === undefined) return wanted ?? null;
	const creator = await liveKeys(db, accountId)
		.select('expires_at')
		.where('id', '=', createdBy)
		.executeTakeFirst();
	if (!creator) throw new ApiError('api_key_revoked', 'This API key is revoked or has expired.');
	const latest = creator.expires_at;
	if (latest === null || wanted === undefined) return wanted ?? latest;
	if (wanted !== null && wanted <= latest) return wanted;
	const message = `must be at most ${latest}, because the key that creates this one expires then`;
	throw invalid([{ path: 'expires_at', message }]);
}

export function createKeyWithin(db: Db, key: NewKey, mostKeys: number) {
	return inTransaction(db, async (transaction) => {
		await lockAccount(transaction, key.accountId);
		if ((await countLiveKeys(transaction, key.accountId)) < mostKeys) {
			return createKey(transaction, key);
		}
		throw new ApiError('key_limit', `The account has ${mostKeys} API keys, which is the maximum.`, {
			hint: 'Revoke keys that are not in use.',
		});
	});
}

export function listKeys(
	db: Db,
	{ accountId, includeRevoked }: { accountId: string; includeRevoked: boolean },
	page: PageRequest,
) {
	let query = db.selectFrom('api_keys').select(record).where('account_id', '=', accountId);
	if (!includeRevoked) query = query.where('revoked_at', 'is', null);
	return newestFirst(query, keyList(accountId, includeRevoked), page);
}

/** The name of a list of keys, to which its cursors are bound. */
export function keyList(accountId: string, includeRevoked: boolean) {
	return `keys ${accountId} ${includeRevoked}`;
}

export function findKey(db: Db, { accountId, id }: Owned) {
	return db
		.selectFrom('api_keys')
		.select(record)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
}

/** The error for a key that does not exist, or that belongs to another account. */
export function noSuchKey() {
	return new ApiError('key_not_found', 'No such API key exists.');
}

function revokeLive(db: Db, { accountId, id }: Owned) {
	return db
		.updateTable('api_keys')
		.set({ revoked_at: timeIn(db) })
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.returning(record);
}

/** Revokes an account's key, once: a second attempt returns the record of the first. */
export function revokeKey(db: Db, owned: Owned) {
	return inTransaction(db, async (transaction) => {
		const key = await revokeLive(transaction, owned).executeTakeFirst();
		if (!key) return findKey(transaction, owned);
		await recordKey(transaction, 'key.revoked', { ...key, account_id: owned.accountId });
		return key;
	});
}

/** Revokes several keys of an account, all of them or, if one does not exist, none. */
export function revokeKeys(
	db: Db,
	{ accountId, ids }: { accountId: string; ids: readonly string[] },
) {
	return inTransaction(db, async (transaction) => {
		// One order for all, so that two requests cannot wait for each other.
		for (const id of [...ids].sort()) {
			if (!(await revokeKey(transaction, { accountId, id }))) throw noSuchKey();
		}
	});
}

/** Revokes a key and every key that it created, including those that they created in turn. */
export function revokeKeyAndCreated(db: Db, owned: Owned) {
	return inTransaction(db, async (transaction) => {
		const revoked = await revokeKey(transaction, owned);
		if (!revoked) return undefined;
		for (const id of await keysCreatedBy(transaction, owned)) {
			await revokeKey(transaction, { ...owned, id });
		}
		return revoked;
	});
}

async function keysCreatedBy(db: Db, { accountId, id }: Owned) {
	const found = new Set([id]);
	for (const creator of found) {
		const rows = await db
			.selectFrom('api_keys')
			.select('id')
			.where('created_by', '=', creator)
			.where('account_id', '=', accountId)
			.execute();
		for (const row of rows) found.add(row.id);
	}
	found.delete(id);
	return [...found];
}

function liveKeys(db: Db, accountId: string) {
	return db
		.selectFrom('api_keys')
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', timeIn(db))]));
}

async function countLiveKeys(db: Db, accountId: string) {
	const { keys } = await liveKeys(db, accountId)
		.select(({ fn }) => fn.countAll().as('keys'))
		.executeTakeFirstOrThrow();
	return Number(keys);
}

/** Replaces the key of a repeated creation, which never arrived, unless it was used or revoked. */
export async function replaceUnusedKey(
	db: Db,
	{ id, used, ...caller }: Pick<NewKey, 'accountId' | 'createdBy'> & { id: string; used: boolean },
) {
	const { accountId } = caller;
	await lockAccount(db, accountId);
	const unused = revokeLive(db, { accountId, id }).where('last_used_at', 'is', null);
	const first = used ? undefined : await unused.executeTakeFirst();
	if (!first) {
		const message = 'The key that this request created was used or revoked.';
		throw new ApiError('idempotency_delivered', message, {
			hint: 'Use another Idempotency-Key to create another API key.',
		});
	}
	const { label, scope, expires_at: expiresAt } = first;
	const created = await insertKey(db, { ...caller, label, scope, expiresAt });
	const details = { replaced: id, label, hint: created.hint };
	await recordChange(db, { kind: 'key.replaced', accountId, subjectId: created.id, details });
	return created;
}
