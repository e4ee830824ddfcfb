// Reads a list of base images as the API takes them, or as `import --dry-run --json` prints them.
import * as z from 'zod/mini';
import { chipName, type FlashPart } from './flash-part.ts';

const image = z.strictObject({
	action: z.enum(['flash', 'erase'], "must be 'flash' or 'erase'"),
	board_type: z.string(),
	name: z.string(),
	description: z.optional(z.string()),
	enabled: z.optional(z.boolean()),
	flash_offset: z.optional(z.string()),
	position: z.optional(z.int().check(z.nonnegative())),
	url: z.optional(z.string()),
	// A record of the API has these two; it assigns them itself.
	id: z.optional(z.unknown()),
	created_at: z.optional(z.unknown()),
});

const withWireNames = z.pipe(
	z.pipe(
		z.looseObject({}),
		z.transform((record) =>
			Object.fromEntries(Object.entries(record).map(([name, value]) => [wireName(name), value])),
		),
	),
	image,
);

export const imageList = z.array(withWireNames);

export function partsOfList(list: z.infer<typeof imageList>): FlashPart[] {
	return list.map(({ action, board_type, flash_offset = '0x0', url = '', ...rest }) => ({
		action,
		chip: chipName(board_type),
		name: rest.name,
		path: url,
		offset: flash_offset,
		position: rest.position,
		description: rest.description,
		enabled: rest.enabled,
	}));
}

/** A name that is not known stays as it is, so that it is told as it was written. */
function wireName(name: string) {
	const wire = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	return Object.hasOwn(image.shape, wire) ? wire : name;
}
