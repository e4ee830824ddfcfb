// Idempotency-Key: a change that is requested twice happens once. The row of the key is written last in the
// transaction of the change: a second request finds it there, and what it has changed itself is undone.
import { type ErrorCode, redact } from 'board-access-contract';
import {
	ApiError,
	type Claim,
	claimed,
	type Database,
	type Db,
	findClaim,
	inTransaction,
	invalid,
	isClaimed,
	isWaitingForClaim,
	onPostgres,
} from 'board-access-core';
import type { Context } from 'hono';
import { requestDigest } from './read.ts';

export interface Once<Result extends { id: string }> {
	key: string | undefined;
	accountId: string;
	digest: string;
	mismatch?: 'idempotency_mismatch' | 'idempotency_conflict';
	create(db: Db, claim?: Claim): Promise<Result>;
	/** Whether `create` writes the claim itself, in the same transaction as the rest. */
	claims?: boolean;
	/** Builds the response again from what the first request created. */
	replay(db: Db, id: string): Promise<Result>;
}

/** Carries a request out, or returns what the same request created or changed before. */
export async function once<Result extends { id: string }>(
	{ query }: Pick<Database, 'query'>,
	{
		key,
		accountId,
		digest,
		mismatch = 'idempotency_mismatch',
		create,
		claims,
		replay,
	}: Once<Result>,
): Promise<{ result: Result; replayed: boolean }> {
	if (key === undefined) return { result: await create(query), replayed: false };
	checkKey(key);
	const claim = { account_id: accountId, idempotency_key: key, request_hash: digest };
	const carryOut = async () => {
		const result = await (claims ? create(query, claim) : claimed(query, claim, create));
		return { result, replayed: false };
	};
	try {
		return await carryOut();
	} catch (error) {
		if (isWaitingForClaim(error)) throw inProgress();
		// An error too, because the first request may have taken the last board.
		if (!(error instanceof ApiError || isClaimed(error))) throw error;
		const first = await findClaim(query, claim);
		if (!first && isClaimed(error)) return carryOut();
		if (!first) throw error;
		requireEqual({ digest, mismatch }, first.request_hash);
	}
	return { result: await replayClaim(query, claim, replay), replayed: true };
}

function inProgress() {
	const message = 'A request that may be the first one with this key is still running.';
	return new ApiError('idempotency_in_progress', message, { headers: { 'retry-after': '1' } });
}

function replayClaim<Result extends { id: string }>(
	query: Db,
	{ account_id, idempotency_key }: Claim,
	replay: Once<Result>['replay'],
) {
	const own = { account_id, idempotency_key };
	return inTransaction(query, async (db) => {
		// Replays run one after the other, because each may replace what the first request created. An update
		// would lock the row, too, but a first request that waits for the row would wait for the replay then.
		const { resource_id } = await db
			.selectFrom('idempotency')
			.select('resource_id')
			.where(({ and }) => and(own))
			.$if(onPostgres(db), (query) => query.forUpdate())
			.executeTakeFirstOrThrow();
		const result = await replay(db, resource_id);
		if (result.id !== resource_id) {
			await db
				.updateTable('idempotency')
				.set({ resource_id: result.id })
				.where(({ and }) => and(own))
				.execute();
		}
		return result;
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

/** Rejects a request that differs from the first one with its key. */
export function requireEqual(sent: { digest: string; mismatch: ErrorCode }, first: string) {
	if (sent.digest === first) return;
	throw new ApiError(sent.mismatch, 'This Idempotency-Key was used with a different request.', {
		hint: 'Use a new key for a new request.',
	});
}
