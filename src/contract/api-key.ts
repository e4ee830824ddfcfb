// API keys on the wire: what is sent to create one and what is answered.
import * as z from 'zod/mini';
import { listQuery } from './list.ts';

/** The form of a full API key. The service writes lower-case; either case is read. */
export const apiKeyPattern = /^key_[0-9a-f]{48}$/i;

/** The form of the identifier of an API key: it cannot be mistaken for a key. */
export const apiKeyIdPattern = /^key_[0-9a-f]{24}$/;

const label = z.string().check(
	z.trim(),
	z.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
	z.refine((text) => [...text].length <= 200, 'must be at most 200 characters long'),
);

export const apiKeyInput = z.strictObject({ label: z.optional(label) });

export const apiKeyQuery = z.extend(listQuery, {
	include_revoked: z.optional(z.enum(['true', 'false'])),
});

export const apiKey = z.object({
	id: z.string(),
	label: z.nullable(z.string()),
	hint: z.string(),
	created_at: z.string(),
	last_used_at: z.nullable(z.string()),
	revoked_at: z.nullable(z.string()),
});

export const createdApiKey = z.extend(apiKey, { key: z.string() });
