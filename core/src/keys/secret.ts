// The text of API keys and of tokens of agents, and what is stored of it.
import { hash, randomBytes } from 'node:crypto';

/** 192 random bits. */
export function newSecret(prefix: 'key' | 'agt') {
	const secret = `${prefix}_${randomBytes(24).toString('hex')}`;
	const sha256 = hash('sha256', secret);
	const hint = `${secret.slice(0, 8)}…${secret.slice(-4)}`;
	return { secret, stored: { id: `${prefix}_${sha256.slice(0, 24)}`, hash: sha256, hint } };
}
