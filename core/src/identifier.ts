// Identifiers: a prefix for the kind, and 96 random bits.
import { randomBytes } from 'node:crypto';

export function newId(
	prefix: 'acc' | 'act' | 'brd' | 'chn' | 'crd' | 'fil' | 'grp' | 'img' | 'lse' | 'ses',
) {
	return `${prefix}_${randomBytes(12).toString('hex')}`;
}
