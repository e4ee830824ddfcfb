// The response to every list request.
import * as z from 'zod/mini';

/** A page of a list. */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
	return z.object({ data: z.array(item), next_cursor: z.nullable(z.string()) });
}
