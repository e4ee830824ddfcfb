// Idempotency-Key: a change that is requested twice happens once.
// The note of the request and what it changes are one transaction: after a crash there are
// both or neither, and a second request waits at the note for the first.
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
	/** The header's value; without it, every request creates something. */
	key: string | undefined;
	accountId: string;
	digest: string;
	/** The error for another request with the same key. */
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
	if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
		throw invalid([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' }]);
	}
	// It is kept as it is.
	if (redact(key) !== key) {
		throw invalid([{ path: 'Idempotency-Key', message: 'must not contain an API key' }]);
	}
	return query.transaction().execute(async (db) => {
		const note = await takeNote(db, { accountId, key, digest });
		if (note.request_hash !== digest) throw differs(mismatch);
		const replayed = note.resource_id !== null;
		const result =
			note.resource_id === null ? await create(db) : await replay(db, note.resource_id);
		await db
			.updateTable('idempotency')
			.set({ resource_id: result.id })
			.where('account_id', '=', accountId)
			.where('idempotency_key', '=', key)
			.execute();
		return { result, replayed };
	});
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

/** Whether a request with this key was carried out before. */
export async function isKnown(
	db: Db,
	{ key, accountId }: Pick<Once<{ id: string }>, 'key' | 'accountId'>,
) {
	if (key === undefined) return false;
	const note = await db
		.selectFrom('idempotency')
		.select('resource_id')
		.where('account_id', '=', accountId)
		.where('idempotency_key', '=', key)
		.executeTakeFirst();
	return note !== undefined;
}

/** Deletes records that are older than a day. */
export function forgetOldNotes(db: Db) {
	return db.deleteFrom('idempotency').where('created_at', '<', oldest(db)).execute();
}

function oldest(db: Db) {
	return timeIn(db, -keptMilliseconds);
}

/** Writes the record, or locks and reads the existing one. A new record has no resource yet. */
async function takeNote(
	db: Db,
	{ accountId, key, digest }: { accountId: string; key: string; digest: string },
): Promise<IdempotencyRow> {
	await db
		.deleteFrom('idempotency')
		.where('account_id', '=', accountId)
		.where('idempotency_key', '=', key)
		.where('created_at', '<', oldest(db))
		.execute()
		.catch(rethrowLock);
	return db
		.insertInto('idempotency')
		.values({
			account_id: accountId,
			idempotency_key: key,
			request_hash: digest,
			created_at: timeIn(db),
		})
		.onConflict((conflict) =>
			conflict
				.columns(['account_id', 'idempotency_key'])
				// Changes nothing, but locks the row and reads it in the same step.
				.doUpdateSet({ account_id: accountId }),
		)
		.returningAll()
		.executeTakeFirstOrThrow()
		.catch(rethrowLock);
}

function rethrowLock(error: unknown): never {
	const lockNotAvailable = '55P03';
	if (error instanceof Error && 'code' in error && error.code === lockNotAvailable) {
		const message = 'The first request with this key is still running.';
		throw new ApiError('idempotency_in_progress', message, { headers: { 'retry-after': '1' } });
	}
	throw error;
}

function differs(code: ErrorCode) {
	return new ApiError(code, 'This Idempotency-Key was used with a different request.', {
		hint: 'Use a new key for a new request.',
	});
}
