// The key itself: how it is created, and what is stored of it.
import { hash, randomBytes } from 'node:crypto';

/** 192 random bits; the service sends this text only once, in the response that creates the key. */
export function generateKey() {
	return `key_${randomBytes(24).toString('hex')}`;
}

export function hashKey(key: string) {
	return hash('sha256', key);
}

/** Enough of a key to tell it from another. */
export function keyHint(key: string) {
	return `${key.slice(0, 8)}…${key.slice(-4)}`;
}
