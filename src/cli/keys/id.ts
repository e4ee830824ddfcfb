// The ID of a key, computed from the key without a request.
import { apiKeyIdFrom } from '../../contract/index.ts';

export async function keyId(key: string) {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key.toLowerCase()));
	return apiKeyIdFrom(Buffer.from(digest).toString('hex'));
}
