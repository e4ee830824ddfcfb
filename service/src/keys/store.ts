// API keys in the database. Only the SHA-256 of a key is stored.
import { apiKeyIdFrom } from 'board-access-contract';
import { type ExpressionBuilder, sql } from 'kysely';
import { lockAccount } from '../accounts/lock.ts';
import { record as recordChange } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import { newestFirst, type PageRequest } from '../database/pagination.ts';
import { onPostgres } from '../database/postgres.ts';
import type { ApiKeyRow, Db, Owned, Schema } from '../database/schema.ts';
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
		await recordKey(transaction, wanted, created);
		return created;
	});
}

/** Records that a key was created, or revoked with so many keys that it had created. */
function recordKey(
	db: Db,
	{ accountId }: Pick<NewKey, 'accountId'>,
	{ id, label, hint, scope, revoked_at }: KeyRecord,
	created_keys = 0,
) {
	const kind = revoked_at ? 'key.revoked' : 'key.created';
	const details = { label, hint, scope, ...(created_keys && { created_keys }) };
	return recordChange(db, { kind, accountId, subjectId: id, details });
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

export function findKeys(
	db: Db,
	{ accountId, ids }: { accountId: string; ids: readonly string[] },
) {
	return db
		.selectFrom('api_keys')
		.select(record)
		.where('id', 'in', ids)
		.where('account_id', '=', accountId)
		.execute();
}

/** The error for a key that does not exist, or that belongs to another account. */
export function noSuchKey() {
	return new ApiError('key_not_found', 'No such API key exists.');
}

/** Revokes an account's key, once, and its family if given: a second attempt returns the record of the first. */
export function revokeKey(db: Db, { accountId, id }: Owned, family?: Family) {
	return inTransaction(db, async (transaction) => {
		// So that the keys create no other one at this moment.
		if (family) await lockAccount(transaction, accountId);
		const ids = family ? await withRecent(transaction, accountId, family) : [id];
		const revoked = await revokeLive(transaction, accountId, ids).execute();
		const key =
			revoked.find((each) => each.id === id) ??
			(await findKeys(transaction, { accountId, ids: [id] }))[0];
		const others = revoked.filter((each) => each.id !== id).length;
		if (key && revoked.length > 0) await recordKey(transaction, { accountId }, key, others);
		return key;
	});
}

function revokeLive(db: Db, accountId: string, ids: readonly string[]) {
	const live = db
		.selectFrom('api_keys')
		.select('id')
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.where(isOneOf(db, ids))
		// In the order in which last uses are written, so that the two cannot wait for each other.
		.orderBy('id')
		.$if(onPostgres(db), (query) => query.forUpdate());
	return db
		.updateTable('api_keys')
		.set({ revoked_at: timeIn(db) })
		.where('id', 'in', live)
		.returning(record);
}

/** A key and the live ones of those that it created, including those that they created in turn. */
interface Family {
	ids: readonly string[];
	/** Keys that were created before are among them. */
	since: string;
}

/** Longer than a transaction that creates a key. */
const creationMilliseconds = 60_000;

/** Reads all keys that a key ever created, which may take long: not in the transaction that revokes them. */
export async function findFamily(reader: Db, { accountId, id }: Owned): Promise<Family> {
	const since = timeIn(reader, -creationMilliseconds);
	// For each by the index: otherwise PostgreSQL may read the whole table for each generation.
	const children = onPostgres(reader)
		? sql`cross join lateral (select id from api_keys where created_by = family.id offset 0) child`
		: sql`inner join api_keys as child on child.created_by = family.id`;
	const family = sql<string>`with recursive family (id) as (
		select ${id} union select child.id from family ${children}
	) select id from family`;
	const keys = await liveKeys(reader, accountId)
		.select('id')
		// On PostgreSQL as an array, which is evaluated once: the plan of a join might do it for each row.
		.where(
			onPostgres(reader)
				? sql<boolean>`id = any(array(${family}))`
				: sql<boolean>`id in (${family})`,
		)
		.execute();
	return { ids: [id, ...keys.map((key) => key.id)], since };
}

/** A key may have created others since its family was found, and even have been revoked since. */
async function withRecent(db: Db, accountId: string, { ids, since }: Family) {
	const recent = await db
		.selectFrom('api_keys')
		.select(['id', 'created_by'])
		.where('account_id', '=', accountId)
		.where('created_at', '>=', since)
		.execute();
	const family = new Set(ids);
	for (let size = 0; size < family.size; ) {
		size = family.size;
		for (const key of recent) {
			if (key.created_by !== null && family.has(key.created_by)) family.add(key.id);
		}
	}
	return [...family];
}

function isOneOf(db: Db, ids: readonly string[]) {
	return onPostgres(db)
		? sql<boolean>`id = any(${ids})`
		: sql<boolean>`id in (select value from json_each(${JSON.stringify(ids)}))`;
}

/** Revokes several keys of an account, all of them or, if one does not exist, none. */
export function revokeKeys(
	db: Db,
	{ accountId, ids }: { accountId: string; ids: readonly string[] },
) {
	return inTransaction(db, async (transaction) => {
		// One order for all, so that two requests cannot wait for each other.
		for (const id of [...new Set(ids)].sort()) {
			if (!(await revokeKey(transaction, { accountId, id }))) throw noSuchKey();
		}
	});
}

function liveKeys(db: Db, accountId: string) {
	return db
		.selectFrom('api_keys')
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.where(isUnexpired(db));
}

function isUnexpired(db: Db) {
	return ({ eb, or }: ExpressionBuilder<Schema, 'api_keys'>) =>
		or([eb('expires_at', 'is', null), eb('expires_at', '>', timeIn(db))]);
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
	const unused = revokeLive(db, accountId, [id]).where('last_used_at', 'is', null);
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

const batch = 500;
const keptDays = 90;

/**
 * Deletes keys that ended long ago, but none that created one that is left: it may have to be revoked with
 * what it created. The youngest first, because a key is younger than the one that created it.
 */
export async function deleteEndedKeys(db: Db) {
	const ended = timeIn(db, -keptDays * 24 * 60 * 60 * 1000);
	for (let before: readonly [string, string] = [ended, '']; ; ) {
		const keys = await db
			.transaction()
			.execute((transaction) => deleteSome(transaction, ended, before));
		const last = keys.at(-1);
		if (keys.length < batch || !last) return;
		before = [last.created_at, last.id];
		// On SQLite a query takes no turn of the event loop by itself.
		await new Promise((resolve) => setImmediate(resolve));
	}
}

async function deleteSome(db: Db, ended: string, before: readonly [string, string]) {
	const keys = await db
		.selectFrom('api_keys')
		.select(['id', 'created_at'])
		// As the index has it.
		.where(({ eb, or }) => or([eb('revoked_at', 'is not', null), eb('expires_at', 'is not', null)]))
		.where(({ eb, or }) => or([eb('revoked_at', '<', ended), eb('expires_at', '<', ended)]))
		.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(...before)))
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.limit(batch)
		.execute();
	for (const { id } of keys) {
		await db
			.deleteFrom('api_keys')
			.where('id', '=', id)
			.where(({ not, exists, selectFrom }) =>
				not(
					exists(selectFrom('api_keys as other').select('id').where('other.created_by', '=', id)),
				),
			)
			.execute();
	}
	return keys;
}
