// The form of API keys and of their identifiers.

/** The form of a full API key. The service writes lower-case; either case is read. */
export const apiKeyPattern = /^key_[0-9a-f]{48}$/i;

/** The text with every API key masked. */
export function redact(text: string) {
	return text.replace(/(key|agt)_[0-9a-f]{48}/gi, '$1_[redacted]');
}

/** The form of the identifier of an API key: it cannot be mistaken for a key. */
export const apiKeyIdPattern = /^key_[0-9a-f]{24}$/;

/** The identifier of a key, from the SHA-256 of the key in hexadecimal. */
export function apiKeyIdFrom(sha256: string) {
	return `key_${sha256.slice(0, 24)}`;
}
