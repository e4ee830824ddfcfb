// Boards on the wire.
import * as z from 'zod/mini';

export const boardStatuses = ['available', 'in_use', 'offline', 'maintenance'] as const;

// Client and service check tags and memory themselves: a record of zod is a lot of code for one field.
export const boardFields = {
	id: z.string(),
	name: z.string(),
	board_type: z.string(),
	status: z.string(),
	status_reason: z.string(),
	description: z.string(),
	tags: z.unknown(),
	credits_per_minute: z.number(),
	/** The lease that holds the board, for the account that has it; null for everyone else. */
	lease_id: z.nullable(z.string()),
	has_agent: z.boolean(),
	memory: z.unknown(),
	/** Whether a lease may begin with the firmware of an earlier one; null while no agent drives the board. */
	keeps_firmware: z.nullable(z.boolean()),
	created_at: z.string(),
	updated_at: z.string(),
};
