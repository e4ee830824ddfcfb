// API keys in the database. Only the SHA-256 of a key is stored.
import { apiKey } from 'board-access-contract';
import { type RawBuilder, sql } from 'kysely';
import { lockAccount } from '../accounts/lock.ts';
import { requireSession } from '../accounts/sessions/sessions.ts';
import { record as recordChange } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import { locking } from '../database/locks.ts';
import { hasText, newestFirst, type PageQuery, readPage } from '../database/pagination.ts';
import { onPostgres } from '../database/postgres.ts';
import type { ApiKeyRow, Db, Owned } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { invalid } from '../validation.ts';
import { newSecret } from './secret.ts';

const record = Object.keys(apiKey.shape) as (keyof typeof apiKey.shape)[];

type KeyRecord = Pick<ApiKeyRow, (typeof record)[number]>;

export interface NewKey {
	accountId: string;
	label?: string | null | undefined;
	scope?: ApiKeyRow['scope'] | undefined;
	/** By default, it expires with the key that creates it. */
	expiresAt?: string | null | undefined;
	creditLimit?: number | null | undefined;
	/** The key that the request came with. */
	createdBy?: string | undefined;
	/** The session that the request came with. */
	sessionId?: string | undefined;
}

/** Creates a key for an account. The full key is returned only here. */
export function issueKey(db: Db, wanted: NewKey) {
	return inTransaction(db, async (transaction) => {
		const created = await insertKey(transaction, wanted);
		await recordKey(transaction, wanted, created);
		return created;
	});
}

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
	const { accountId, label, scope = 'full', createdBy = null, creditLimit } = wanted;
	const { secret: key, stored } = newSecret('key');
	const row = await db
		.insertInto('api_keys')
		.values({
			...stored,
			account_id: accountId,
			label: label || null,
			scope,
			created_by: createdBy,
			credit_limit: creditLimit ?? null,
			expires_at: await expiryOf(db, wanted),
			created_at: timeIn(db),
		})
		.returning(record)
		.executeTakeFirstOrThrow();
	return { ...row, key };
}

/** A key expires no later than the key that creates it. */
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

export function issueKeyWithin(db: Db, key: NewKey, maxKeys: number) {
	return inTransaction(db, async (transaction) => {
		await lockAccount(transaction, key.accountId);
		await requireSession(transaction, key.accountId, key.sessionId);
		if ((await countLiveKeys(transaction, key.accountId)) < maxKeys) {
			return issueKey(transaction, key);
		}
		throw new ApiError('key_limit', `The account has ${maxKeys} API keys, which is the maximum.`, {
			hint: 'Revoke keys that are not in use.',
		});
	});
}

interface KeyFilter {
	accountId: string;
	includeRevoked: boolean;
	/** A part of the label, the masked key or the identifier. */
	text?: string;
}

/** Newest first. */
export function listKeys(db: Db, filter: KeyFilter, request: PageQuery) {
	return readPage(selectKeys(db, filter), keyList(filter), request);
}

/** The same, with the address of the last use of each key. */
export function searchKeys(db: Db, filter: KeyFilter, request: PageQuery) {
	const query = selectKeys(db, filter).select('last_used_address');
	return readPage(query, keyList(filter), request);
}

function keyList({ accountId, includeRevoked, text }: KeyFilter) {
	return newestFirst(JSON.stringify(['keys', accountId, includeRevoked, text]));
}

function selectKeys(db: Db, { accountId, includeRevoked, text }: KeyFilter) {
	let query = db.selectFrom('api_keys').select(record).where('account_id', '=', accountId);
	if (!includeRevoked) query = query.where('revoked_at', 'is', null);
	if (!text) return query;
	return query.where(({ or }) =>
		or(['label', 'hint', 'id'].map((column) => hasText(column, text))),
	);
}

/** A key of an account: one of another account does not exist for it. */
export async function findKey(db: Db, { accountId, id }: Owned) {
	const key = await db
		.selectFrom('api_keys')
		.select(record)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
	if (!key) throw new ApiError('key_not_found', 'No such API key exists.');
	return key;
}

/** Revokes a key and, if given, its family. A repeated request returns the same record. */
export function revokeKey(db: Db, { accountId, id }: Owned, family?: Family) {
	return inTransaction(db, async (transaction) => {
		// Keeps the keys from creating others meanwhile.
		if (family) await lockAccount(transaction, accountId);
		const keys = family ? isOfFamily(transaction, family) : isKey(id);
		const revoked = await revokeLive(transaction, accountId, keys).execute();
		const key =
			revoked.find((each) => each.id === id) ?? (await findKey(transaction, { accountId, id }));
		const others = revoked.filter((each) => each.id !== id).length;
		if (revoked.length > 0) await recordKey(transaction, { accountId }, key, others);
		return key;
	});
}

/** Revokes all keys of an account. */
export function revokeAllKeys(db: Db, accountId: string) {
	return revokeLive(db, accountId, sql<boolean>`true`).execute();
}

function revokeLive(db: Db, accountId: string, keys: RawBuilder<boolean>) {
	const live = db
		.selectFrom('api_keys')
		.select('id')
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.where(keys)
		// In the order in which last uses are written, so that neither waits for the other.
		.orderBy('id')
		.$call(locking(db, 'api_keys'));
	return db
		.updateTable('api_keys')
		.set({ revoked_at: timeIn(db) })
		.where('id', 'in', live)
		.returning(record);
}

function isKey(id: string) {
	return sql<boolean>`id = ${id}`;
}

/** Keys, and all descendants that were created since this time. */
interface Family {
	ids: readonly string[];
	since: string;
}

/** Longer than a transaction that creates a key. */
const creationMilliseconds = 60_000;

/** Finds a key and its live descendants. This may be slow, so the transaction that revokes them only adds newer ones. */
export async function findFamily(reader: Db, { accountId, id }: Owned): Promise<Family> {
	const since = timeIn(reader, -creationMilliseconds);
	const all = isOfFamily(reader, { ids: [id], since: '' });
	const keys = await liveKeys(reader, accountId).select('id').where(all).execute();
	return { ids: [id, ...keys.map((key) => key.id)], since };
}

function isOfFamily(db: Db, { ids, since }: Family) {
	const isChild = sql`created_by = family.id and created_at >= ${since}`;
	if (!onPostgres(db)) {
		return sql<boolean>`id in (with recursive family (id) as (
			select value from json_each(${JSON.stringify(ids)})
			union select child.id from family inner join api_keys as child on ${isChild}
		) select id from family)`;
	}
	// This form makes PostgreSQL use the index; plain joins may read the whole table for each generation.
	return sql<boolean>`id = any(array(with recursive family (id) as (
		select unnest(${ids}::text[]) union select child.id from family
		cross join lateral (select id from api_keys where ${isChild} offset 0) child
	) select id from family))`;
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

/** A repeated creation replaces the first key, whose text did not arrive, unless it was used or revoked. */
export async function replaceUnusedKey(
	db: Db,
	{ id, used, ...caller }: Pick<NewKey, 'accountId' | 'createdBy'> & { id: string; used: boolean },
) {
	const { accountId } = caller;
	await lockAccount(db, accountId);
	const unused = revokeLive(db, accountId, isKey(id)).where('last_used_at', 'is', null);
	const first = used ? undefined : await unused.executeTakeFirst();
	if (!first) {
		const message = 'The key that this request created was used or revoked.';
		throw new ApiError('idempotency_delivered', message, {
			hint: 'Use another Idempotency-Key to create another API key.',
		});
	}
	const { label, scope, expires_at: expiresAt, credit_limit: creditLimit } = first;
	const created = await insertKey(db, { ...caller, label, scope, expiresAt, creditLimit });
	const details = { replaced: id, label, hint: created.hint };
	await recordChange(db, { kind: 'key.replaced', accountId, subjectId: created.id, details });
	return created;
}
