// A change that is requested twice with one idempotency key happens once. The claim on a key stores the digest of the
// request, and the id of what was created or changed.
import type { ExpressionBuilder } from 'kysely';
import { timeIn } from './database/clock.ts';
import type { Database } from './database/database.ts';
import { locking } from './database/locks.ts';
import { isUniqueViolation } from './database/postgres.ts';
import type { Db, Schema } from './database/schema.ts';
import { inTransaction } from './database/transactions.ts';
import { ApiError } from './errors.ts';

const keptMilliseconds = 24 * 60 * 60 * 1000;

export interface Claim {
	account_id: string;
	idempotency_key: string;
	request_hash: string;
	/** A form shows a secret only once, so a repeated form gets none. */
	isForm?: boolean;
}

export interface Outcome<Result> {
	result: Result;
	/** Whether an earlier request with the same key has made the change. */
	replayed: boolean;
}

interface Once<Result extends { id: string }> {
	/** Runs in a transaction, unless it has its own to write the claim. */
	create(db: Db, claim?: Claim): Promise<Result>;
	/** Whether `create` writes the claim itself, in its own transaction. */
	claims?: boolean;
	/** Reads what the first request created or changed. */
	replay(db: Db, id: string): Promise<Result>;
	/** The error for a key that was used with another request. */
	mismatch?: Mismatch;
}

type Mismatch = 'idempotency_mismatch' | 'idempotency_conflict';

/** Makes a change, unless an earlier request with the same key has made it. */
export async function once<Result extends { id: string }>(
	{ database: { query } }: { database: Pick<Database, 'query'> },
	claim: Claim | undefined,
	{ create, claims, replay, mismatch }: Once<Result>,
): Promise<Outcome<Result>> {
	const carryOut = async () => {
		const result = await (claims ? create(query, claim) : createAndClaim(query, claim, create));
		return { result, replayed: false };
	};
	if (!claim) return carryOut();
	try {
		return await carryOut();
	} catch (error) {
		if (isWaitingForClaim(error)) throw inProgress();
		// Any rejection may be a consequence of the first request, which may have taken the last board.
		if (!(error instanceof ApiError || isClaimed(error))) throw error;
		const first = await findClaim(query, claim);
		if (!first && isClaimed(error)) return carryOut();
		if (!first) throw error;
		requireEqual(claim, first.request_hash, mismatch);
	}
	return { result: await replayClaim(query, claim, replay), replayed: true };
}

/** Rejects a request that differs from the first one with its key. */
export function requireEqual(claim: Claim, first: string, code: Mismatch = 'idempotency_mismatch') {
	if (claim.request_hash === first) return;
	throw new ApiError(code, 'This Idempotency-Key was used with a different request.', {
		hint: 'Use a new key for a new request.',
	});
}

function inProgress() {
	const message = 'A request that may be the first one with this key is still running.';
	return new ApiError('idempotency_in_progress', message, { headers: { 'retry-after': '1' } });
}

/** Writes the claim last. If another request has written it, the change is rolled back. */
function createAndClaim<Result extends { id: string }>(
	db: Db,
	claim: Claim | undefined,
	create: Once<Result>['create'],
) {
	return inTransaction(db, async (db) => {
		const result = await create(db);
		if (claim) await writeClaim(db, claim, result.id);
		return result;
	});
}

function replayClaim<Result extends { id: string }>(
	query: Db,
	claim: Claim,
	replay: Once<Result>['replay'],
) {
	return inTransaction(query, async (db) => {
		// Replays run one after the other, because each may replace what the first request created.
		const first = db.selectFrom('idempotency').select('resource_id').where(isFor(claim));
		const locked = first.$call(locking(db, 'idempotency'));
		const { resource_id } = await locked.executeTakeFirstOrThrow();
		const result = await replay(db, resource_id);
		if (result.id !== resource_id) {
			const next = { resource_id: result.id };
			await db.updateTable('idempotency').set(next).where(isFor(claim)).execute();
		}
		return result;
	});
}

export async function writeClaim(db: Db, claim: Claim, resource_id: string) {
	const { account_id, idempotency_key, request_hash } = claim;
	const created_at = timeIn(db);
	const row = { account_id, idempotency_key, request_hash, resource_id, created_at };
	await db.insertInto('idempotency').values(row).execute();
}

function isClaimed(error: unknown) {
	return isUniqueViolation(error, 'idempotency');
}

/** Whether the request has waited too long for a lock on its account or its key, which the first request may have. */
function isWaitingForClaim(error: unknown) {
	const lockNotAvailable = '55P03';
	if (!(error instanceof Error && 'code' in error && 'where' in error)) return false;
	return error.code === lockNotAvailable && /\b(accounts|idempotency)/.test(`${error.where}`);
}

/** Finds the claim, and deletes it if it is older than a day. */
async function findClaim(db: Db, claim: Claim) {
	await deleteOldKeys(db).where(isFor(claim)).execute();
	return db.selectFrom('idempotency').selectAll().where(isFor(claim)).executeTakeFirst();
}

function isFor({ account_id, idempotency_key }: Claim) {
	return ({ and }: ExpressionBuilder<Schema, 'idempotency'>) =>
		and({ account_id, idempotency_key });
}

/** Deletes claims that are older than a day. */
export function deleteOldKeys(db: Db) {
	return db.deleteFrom('idempotency').where('created_at', '<', timeIn(db, -keptMilliseconds));
}
