// Agents on the wire, as an administrator sees them.
import * as z from 'zod/mini';

/** The form of an agent's token: it is valid for `/v1/agent/*` only. */
export const agentTokenPattern = /^agt_[0-9a-f]{48}$/i;

// Client and service check the board IDs themselves, because an array of zod is a lot of code for one field.
export const agentFields = {
	id: z.string(),
	name: z.string(),
	/** Enough of the token to tell it from others. */
	hint: z.string(),
	online: z.boolean(),
	board_ids: z.unknown(),
	created_at: z.string(),
	last_seen_at: z.nullable(z.string()),
	revoked_at: z.nullable(z.string()),
};
