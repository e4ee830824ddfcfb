// Passwords as they are stored: argon2id with the minimum that OWASP recommends.

import { verifyPassword as verifyScrypt } from '@better-auth/utils/password';
import { hash, verify } from '@node-rs/argon2';
import type { Kysely } from 'kysely';
import pLimit from 'p-limit';
import type { Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import { ApiError } from '../errors.ts';

const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const prefix = `$argon2id$v=19$m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`;
const atOnce = 2;
const mayWait = 20;

export function hashPassword(password: string) {
	return hash(password.normalize('NFKC'), strength);
}

export function verifyPassword({ hash, password }: { hash: string; password: string }) {
	// Hashes of earlier versions.
	if (!hash.startsWith('$')) return verifyScrypt(hash, password);
	return verify(hash, password.normalize('NFKC'));
}

/** Hashes the password of an account again, if it is stored in the format of an earlier version. */
export async function refreshHash(
	db: Kysely<Schema>,
	{ email, password }: { email: string; password: string },
) {
	const stored = await db
		.selectFrom('credentials')
		.innerJoin('accounts', 'accounts.id', 'credentials.account_id')
		.select(['credentials.id', 'password_hash'])
		.where('email', '=', email.toLowerCase())
		.executeTakeFirst();
	if (!stored || stored.password_hash.startsWith(prefix)) return;
	await db
		.updateTable('credentials')
		.set({ password_hash: await hashPassword(password), updated_at: now() })
		.where('id', '=', stored.id)
		// A password that has been changed in the meantime is kept.
		.where('password_hash', '=', stored.password_hash)
		.execute();
}

/** Runs password hashing: a few at a time, a few more in a queue; the rest is rejected. */
export function createHashingQueue() {
	const limit = pLimit(atOnce);
	return <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (limit.pendingCount >= mayWait) {
			throw new ApiError('unavailable', 'Too many people are logging in. Try again in a moment.', {
				headers: { 'retry-after': '1' },
			});
		}
		return limit(work);
	};
}
