// Base images on the wire: exactly the ten fields of the specification.
import * as z from 'zod/mini';

export const baseImageActions = ['flash', 'erase'] as const;

/** The largest whole number that every database of the service keeps in a column. */
export const highestPosition = 2_147_483_647;

export const baseImage = z.object({
	id: z.string(),
	action: z.enum(baseImageActions),
	board_type: z.string(),
	name: z.string(),
	description: z.string(),
	url: z.string(),
	flash_offset: z.string(),
	position: z.int(),
	enabled: z.boolean(),
	created_at: z.string(),
});

/** What replacing the base images of a board type changes, or would change. */
export const baseImagePlan = z.object({
	added: z.array(baseImage),
	changed: z.array(z.object({ before: baseImage, after: baseImage })),
	removed: z.array(baseImage),
	unchanged: z.int(),
});
