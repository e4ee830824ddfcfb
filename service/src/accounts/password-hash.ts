// Passwords as they are stored: argon2id with the minimum that OWASP recommends.

import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { hash, verify } from '@node-rs/argon2';
import { timeIn } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { createTurns } from '../database/turns.ts';
import { ApiError } from '../errors.ts';

const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const prefix = `$argon2id$v=19$m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`;

export function hashPassword(password: string) {
	return hash(password.normalize('NFKC'), strength);
}

export function verifyPassword({ hash, password }: { hash: string; password: string }) {
	const normal = password.normalize('NFKC');
	return hash.startsWith('$') ? verify(hash, normal) : verifyScrypt(hash, normal);
}

const derive = promisify<string, string, number, object, Buffer>(scrypt);

/** Hashes of earlier versions. */
async function verifyScrypt(hash: string, password: string) {
	const [salt = '', key = ''] = hash.split(':');
	const derived = await derive(password, salt, 64, { N: 16_384, r: 16, maxmem: 64 * 1024 * 1024 });
	const expected = Buffer.from(key, 'hex');
	return expected.length === derived.length && timingSafeEqual(derived, expected);
}

/** The account that has both, found in the same time whether or not the address is known. */
export async function accountByPassword(
	db: Db,
	{ email, password }: { email: string; password: string },
) {
	const found = await db
		.selectFrom('accounts')
		.innerJoin('credentials', 'credentials.account_id', 'accounts.id')
		.select(['accounts.id', 'email', 'disabled_at', 'two_factor_at', 'password_hash'])
		.where('email', '=', email.toLowerCase())
		.executeTakeFirst();
	nobodysHash ??= hashPassword('the password of nobody');
	const hash = found?.password_hash ?? (await nobodysHash);
	const matches = await verifyPassword({ hash, password });
	if (!found || !matches || found.disabled_at !== null) return undefined;
	await refreshHash(db, found, password);
	return found;
}

let nobodysHash: Promise<string> | undefined;

/** Hashes a password again that is stored in a way of an earlier version. */
async function refreshHash(
	db: Db,
	{ id, password_hash }: { id: string; password_hash: string },
	password: string,
) {
	if (password_hash.startsWith(prefix)) return;
	await db
		.updateTable('credentials')
		.set({ password_hash: await hashPassword(password), updated_at: timeIn(db) })
		.where('account_id', '=', id)
		// A password that has been changed in the meantime is kept.
		.where('password_hash', '=', password_hash)
		.execute();
}

/** Hashes passwords: a few at a time, with a few more in a queue; the rest are rejected. */
export function createHashingQueue(atOnce: number) {
	return createTurns(atOnce, { mayWait: 20, refuse: tooManyLogIns });
}

function tooManyLogIns() {
	return new ApiError('unavailable', 'Too many people are logging in. Try again in a moment.', {
		headers: { 'retry-after': '1' },
	});
}
