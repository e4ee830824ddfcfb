// The id of a key, computed from the key: nothing has to be asked or sent.
import { createHash } from 'node:crypto';

export const keyId = (key: string) =>
	`key_${createHash('sha256').update(key.toLowerCase()).digest('hex').slice(0, 24)}`;
