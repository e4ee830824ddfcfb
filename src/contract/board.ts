// Boards on the wire.
import * as z from 'zod/mini';

export const boardStatuses = ['available', 'in_use', 'offline', 'maintenance'] as const;

// Client and service check tags and memory themselves: a record of zod is a lot of code for one field.
export const boardFields = {
	id: z.string(),
	name: z.string(),
	board_type: z.string(),
	status: z.string(),
	description: z.string(),
	/** Names and texts. */
	tags: z.unknown(),
	/** Why the board is in maintenance or offline; empty otherwise. */
	status_reason: z.string(),
	credits_per_minute: z.number(),
	/** The lease that holds the board, for the account that has it; null for everyone else. */
	lease_id: z.nullable(z.string()),
	/** Whether an agent drives the board; otherwise it can be leased, but not flashed. */
	has_agent: z.boolean(),
	/** What firmware has to fit, while an agent that knows it is connected. */
	memory: z.unknown(),
	created_at: z.string(),
	updated_at: z.string(),
};
