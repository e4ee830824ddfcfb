// Base images on the wire: the ten fields of the specification, and `sha256` where an entry has one.
import * as z from 'zod/mini';

export const baseImageActions = ['flash', 'erase'] as const;

/** The largest whole number that every database of the service keeps in a column. */
export const maxPosition = 2_147_483_647;

export const baseImageFields = {
	id: z.string(),
	action: z.string(),
	board_type: z.string(),
	name: z.string(),
	description: z.string(),
	url: z.string(),
	flash_offset: z.string(),
	position: z.number(),
	enabled: z.boolean(),
	created_at: z.string(),
	sha256: z.optional(z.string()),
};
