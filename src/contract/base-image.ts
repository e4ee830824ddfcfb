// Base images on the wire: the ten fields of the specification and no other.
import * as z from 'zod/mini';

export const baseImageActions = ['flash', 'erase'] as const;

export const baseImage = z.object({
	id: z.string(),
	action: z.enum(baseImageActions),
	board_type: z.string(),
	name: z.string(),
	description: z.string(),
	url: z.string(),
	flash_offset: z.string(),
	position: z.number(),
	enabled: z.boolean(),
	created_at: z.string(),
});
