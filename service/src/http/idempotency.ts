// Idempotency-Key: a change that is requested twice happens once. The row of the key and what the request
// changes are one transaction: after a crash there are both or neither, and a second request waits for the
// first at the row.
import { type ErrorCode, redact } from 'board-access-contract';
import type { Context } from 'hono';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { Db, IdempotencyRow } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { invalid } from '../validation.ts';
import { requestDigest } from './read.ts';

const keptMilliseconds = 24 * 60 * 60 * 1000;

export interface Once<Result extends { id: string }> {
	key: string | undefined;
	accountId: string;
	digest: string;
	mismatch?: 'idempotency_mismatch' | 'idempotency_conflict';
	create(db: Db): Promise<Result>;
	/** Builds the response again from what the first request created. */
	replay(db: Db, id: string): Promise<Result>;
}

/** Carries a request out, or returns what the same request created or changed before. */
export async function once<Result extends { id: string }>(
	{ query }: Pick<Database, 'query'>,
	{ key, accountId, digest, mismatch = 'idempotency_mismatch', create, replay }: Once<Result>,
): Promise<{ result: Result; replayed: boolean }> {
	if (key === undefined) return { result: await create(query), replayed: false };
	checkKey(key);
	return query.transaction().execute(async (db) => {
		const { request_hash, resource_id } = await claimKey(db, { accountId, key, digest });
		requireEqual({ digest, mismatch }, request_hash);
		const replayed = resource_id !== null;
		const result = replayed ? await replay(db, resource_id) : await create(db);
		// A replay may have replaced what the first request created.
		await db
			.updateTable('idempotency')
			.set({ resource_id: result.id })
			.where('account_id', '=', accountId)
			.where('idempotency_key', '=', key)
			.execute();
		return { result, replayed };
	});
}

function checkKey(key: string) {
	const message = !/^[\x20-\x7e]{1,255}$/.test(key)
		? 'must be 1 to 255 printable characters'
		: // It is stored as it is.
			redact(key) !== key && 'must not contain an API key';
	if (message) throw invalid([{ path: 'Idempotency-Key', message }]);
}

interface Sent {
	accountId: string;
	/** The body, or what says as much about it. */
	input: unknown;
}

export function requestOf(c: Context, { accountId, input }: Sent) {
	return { key: c.req.header('idempotency-key'), accountId, digest: requestDigest(c, input) };
}

/** The same for a change of a lease. */
export function changeOf(c: Context, sent: Sent) {
	return { ...requestOf(c, sent), mismatch: 'idempotency_conflict' } as const;
}

/** Deletes keys that are older than a day, once it is executed. */
export function deleteOldKeys(db: Db) {
	return db.deleteFrom('idempotency').where('created_at', '<', timeIn(db, -keptMilliseconds));
}

/** Writes the row of a key, or locks and reads the existing one. A new row has no resource yet. */
async function claimKey(
	db: Db,
	{ accountId, key, digest }: { accountId: string; key: string; digest: string },
): Promise<IdempotencyRow> {
	const own = { account_id: accountId, idempotency_key: key };
	try {
		await deleteOldKeys(db)
			.where('account_id', '=', accountId)
			.where('idempotency_key', '=', key)
			.execute();
		return await db
			.insertInto('idempotency')
			.values({ ...own, request_hash: digest, created_at: timeIn(db) })
			// Changes nothing, but locks the row and reads it in the same step.
			.onConflict((conflict) =>
				conflict.columns(['account_id', 'idempotency_key']).doUpdateSet(own),
			)
			.returningAll()
			.executeTakeFirstOrThrow();
	} catch (error) {
		const lockNotAvailable = '55P03';
		if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable))
			throw error;
		const message = 'The first request with this key is still running.';
		throw new ApiError('idempotency_in_progress', message, { headers: { 'retry-after': '1' } });
	}
}

/** Rejects a request that differs from the first one with its key. */
export function requireEqual(sent: { digest: string; mismatch: ErrorCode }, first: string) {
	if (sent.digest === first) return;
	throw new ApiError(sent.mismatch, 'This Idempotency-Key was used with a different request.', {
		hint: 'Use a new key for a new request.',
	});
}
