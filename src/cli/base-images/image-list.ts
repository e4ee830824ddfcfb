// Reads a list of base images as the API takes them, or as `import --dry-run --json` prints them.
import * as z from 'zod/mini';
import { baseImageInput, snakeCase } from '../../contract/index.ts';
import { chipName, type FlashPart } from './flash-part.ts';

// `lint` reports an offset or an address that the service refuses, so both may be any text here.
const image = z.strictObject({
	...baseImageInput.shape,
	description: z.optional(baseImageInput.shape.description),
	enabled: z.optional(baseImageInput.shape.enabled),
	flash_offset: z.optional(z.string()),
	url: z.optional(z.string()),
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

/** An unknown name stays as the file spells it, for the error message. */
function wireName(name: string) {
	const wire = snakeCase(name);
	return Object.hasOwn(image.shape, wire) ? wire : name;
}
