// The key itself: how it is made, and what may be kept of it.
import { createHash, randomBytes } from 'node:crypto';

/** 192 random bits; this text leaves the service once, in the answer that creates the key. */
export const generateKey = () => `key_${randomBytes(24).toString('hex')}`;

export const hashKey = (key: string) => createHash('sha256').update(key).digest('hex');

export const keyIdFrom = (hash: string) => `key_${hash.slice(0, 24)}`;

/** Enough of a key to tell it from another. */
export const keyHint = (key: string) => `${key.slice(0, 8)}…${key.slice(-4)}`;
