// How every list is answered.
import * as z from 'zod/mini';

/** The page that a list answers, for one kind of item. */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
	return z.object({ data: z.array(item), next_cursor: z.nullable(z.string()) });
}
