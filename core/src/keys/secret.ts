// The text of API keys, and what is stored of it.
import { hash, randomBytes } from 'node:crypto';

/** 192 random bits. */
export function generateKey() {
	return `key_${randomBytes(24).toString('hex')}`;
}

export function hashKey(key: string) {
	return hash('sha256', key);
}

/** The masked key. */
export function keyHint(key: string) {
	return `${key.slice(0, 8)}…${key.slice(-4)}`;
}
