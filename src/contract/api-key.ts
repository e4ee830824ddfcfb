// API keys on the wire: their form, that of their identifiers, and their records.
import * as z from 'zod/mini';

/** The form of a full API key. The service writes lower-case; either case is read. */
export const apiKeyPattern = /^key_[0-9a-f]{48}$/i;

/** The identifier of a key, from the SHA-256 of the key in hexadecimal. */
export function apiKeyIdFrom(sha256: string) {
	return `key_${sha256.slice(0, 24)}`;
}

/** `full` allows everything that the account may do; `boards` allows only boards and leases. */
export const apiKeyScopes = ['full', 'boards'] as const;

export const apiKeyFields = {
	id: z.string(),
	label: z.nullable(z.string()),
	hint: z.string(),
	scope: z.string(),
	created_at: z.string(),
	created_by: z.nullable(z.string()),
	expires_at: z.nullable(z.string()),
	credit_limit: z.nullable(z.number()),
	last_used_at: z.nullable(z.string()),
	revoked_at: z.nullable(z.string()),
};

export const createdApiKeyFields = { ...apiKeyFields, key: z.string() };
