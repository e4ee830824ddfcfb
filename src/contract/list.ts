// How every list is asked for and answered.
import * as z from 'zod/mini';

export const listQuery = z.strictObject({
	limit: z.optional(
		z
			.string()
			.check(
				z.refine(
					(text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 200,
					'must be a whole number from 1 to 200',
				),
			),
	),
	cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
});

/** The page that a list answers, for one kind of item. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
	z.object({ data: z.array(item), next_cursor: z.nullable(z.string()) });
