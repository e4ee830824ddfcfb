// The id of a key, computed from the key: nothing has to be asked or sent.

export async function keyId(key: string) {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key.toLowerCase()));
	return `key_${Buffer.from(digest).toString('hex').slice(0, 24)}`;
}
