// Stored idempotency keys: the digest of each request, and the ID of what it created or changed.
import { timeIn } from './database/clock.ts';
import { isUniqueViolation } from './database/postgres.ts';
import type { Db } from './database/schema.ts';
import { inTransaction } from './database/transactions.ts';

const keptMilliseconds = 24 * 60 * 60 * 1000;

/** What a key stands for. */
export interface Claim {
	account_id: string;
	idempotency_key: string;
	request_hash: string;
}

/** Creates in a transaction that ends with the row of the key. */
export function claimed<Result extends { id: string }>(
	db: Db,
	claim: Claim,
	create: (db: Db) => Promise<Result>,
) {
	return inTransaction(db, async (db) => {
		const result = await create(db);
		await writeClaim(db, claim, result.id);
		return result;
	});
}

/** Writes the row of the key, for what was created or changed. */
export async function writeClaim(db: Db, claim: Claim, resource_id: string) {
	const row = { ...claim, resource_id, created_at: timeIn(db) };
	await db.insertInto('idempotency').values(row).execute();
}

/** Whether another request has written the row of the key. */
export function isClaimed(error: unknown) {
	return isUniqueViolation(error, 'idempotency');
}

/**
 * Whether the request gave up waiting for one that may be the first with its key: that has locked its account, or
 * written the row of the key, and has not committed within the time limit.
 */
export function isWaitingForClaim(error: unknown) {
	const lockNotAvailable = '55P03';
	if (!(error instanceof Error && 'code' in error && 'where' in error)) return false;
	return error.code === lockNotAvailable && /\b(accounts|idempotency)/.test(`${error.where}`);
}

/** The row of the key, unless it is older than a day, and then deleted. */
export async function findClaim(db: Db, { account_id, idempotency_key }: Claim) {
	const own = { account_id, idempotency_key };
	await deleteOldKeys(db)
		.where(({ and }) => and(own))
		.execute();
	return db
		.selectFrom('idempotency')
		.selectAll()
		.where(({ and }) => and(own))
		.executeTakeFirst();
}

/** Deletes keys that are older than a day, once it is executed. */
export function deleteOldKeys(db: Db) {
	return db.deleteFrom('idempotency').where('created_at', '<', timeIn(db, -keptMilliseconds));
}
