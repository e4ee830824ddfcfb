// Passwords as they are stored: argon2id with the minimum that OWASP recommends.
import { hash, verify } from '@node-rs/argon2';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { createLimiter } from '../limits/limiter.ts';

const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string) {
	return hash(password.normalize('NFKC'), strength);
}

export function verifyPassword({ hash, password }: { hash: string; password: string }) {
	return verify(hash, password.normalize('NFKC'));
}

/** Takes the same time whether or not the address is known. */
export async function accountByPassword(
	db: Db,
	{ email, password }: { email: string; password: string },
) {
	const found = await db
		.selectFrom('accounts')
		.innerJoin('credentials', 'account_id', 'id')
		.select(['id', 'email', 'disabled_at', 'two_factor_at', 'password_hash'])
		.where('email', '=', email.toLowerCase())
		.executeTakeFirst();
	nobodysHash ??= hashPassword('the password of nobody');
	const hash = found?.password_hash ?? (await nobodysHash);
	const matches = await verifyPassword({ hash, password });
	return found && matches && found.disabled_at === null ? found : undefined;
}

let nobodysHash: Promise<string> | undefined;

/** Hashes a few passwords at a time. A few more may wait; the rest are rejected. */
export function createHashingQueue(atOnce: number) {
	const { run } = createLimiter({ atOnce, mayWait: 20, rejection: tooManyLogIns });
	return <Result>(work: () => Promise<Result>) => run('', work);
}

function tooManyLogIns() {
	return new ApiError('unavailable', 'Too many people are logging in. Try again in a moment.', {
		headers: { 'retry-after': '1' },
	});
}
