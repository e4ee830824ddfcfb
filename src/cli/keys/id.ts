// The ID of a key, computed from the key without a request.
import { hash } from 'node:crypto';
import { apiKeyIdFrom } from '../../contract/index.ts';

export function keyId(key: string) {
	return apiKeyIdFrom(hash('sha256', key.toLowerCase()));
}
