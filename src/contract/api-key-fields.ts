// The records of API keys on the wire.
import * as z from 'zod/mini';

/** `full` allows everything that the account may do; `boards` allows only boards and leases. */
export const apiKeyScopes = ['full', 'boards'] as const;

export const apiKeyFields = {
	id: z.string(),
	label: z.nullable(z.string()),
	hint: z.string(),
	scope: z.string(),
	created_at: z.string(),
	/** The key that created this one; null for one created on the web page. */
	created_by: z.nullable(z.string()),
	expires_at: z.nullable(z.string()),
	last_used_at: z.nullable(z.string()),
	revoked_at: z.nullable(z.string()),
};

export const createdApiKeyFields = { ...apiKeyFields, key: z.string() };
