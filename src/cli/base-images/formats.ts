// The formats of files that say what goes onto a board.
import * as z from 'zod/mini';
import { baseImageInput, snakeCase } from '../../contract/index.ts';
import { chipName, type FlashPart } from './flash-part.ts';

const section = z.looseObject({ offset: z.string(), file: z.string() });

/** `flasher_args.json`, which an ESP-IDF build writes next to its images. */
export const flasherArgs = z.looseObject({
	flash_files: z.record(z.string(), z.string()),
	flash_settings: z.optional(z.looseObject({ flash_size: z.optional(z.string()) })),
	extra_esptool_args: z.optional(z.looseObject({ chip: z.optional(z.string()) })),
});

/** `manifest.json` as ESP Web Tools defines it. */
export const webToolsManifest = z.looseObject({
	name: z.optional(z.string()),
	version: z.optional(z.string()),
	builds: z.array(
		z.looseObject({
			chipFamily: z.string(),
			parts: z.array(z.looseObject({ path: z.string(), offset: z.int().check(z.nonnegative()) })),
		}),
	),
});

// `lint` reports an offset or an address that the service refuses, so both may be any text here.
const image = z.strictObject({
	...baseImageInput.shape,
	description: z.optional(baseImageInput.shape.description),
	enabled: z.optional(baseImageInput.shape.enabled),
	flash_offset: z.optional(z.string()),
	url: z.optional(z.string()),
});

/** A list of base images as the API takes them, or as `import --dry-run --json` prints them. */
export const imageList = z.array(
	z.pipe(
		z.pipe(
			z.looseObject({}),
			z.transform((record) =>
				Object.fromEntries(Object.entries(record).map(([name, value]) => [wireName(name), value])),
			),
		),
		image,
	),
);

export function partsOfFlasherArgs(file: z.infer<typeof flasherArgs>): FlashPart[] {
	// `bootloader`, `app` and `partition-table` are keys of the file that name one image each.
	const names = new Map(
		Object.entries(file).flatMap(([name, value]) => {
			const read = z.safeParse(section, value);
			return read.success ? [[read.data.file, name] as const] : [];
		}),
	);
	const [, count, unit] = /^(\d+)([KM])B$/.exec(file.flash_settings?.flash_size ?? '') ?? [];
	const flashSize = count ? Number(count) * (unit === 'K' ? 1024 : 1024 ** 2) : undefined;
	const chip = chipName(file.extra_esptool_args?.chip ?? '');
	return Object.entries(file.flash_files)
		.map(([offset, path]): FlashPart => {
			const name = names.get(path) ?? nameOf(path);
			return { action: 'flash', chip, name, path, offset, flashSize };
		})
		.sort((one, other) => Number(one.offset) - Number(other.offset));
}

export function partsOfManifest(file: z.infer<typeof webToolsManifest>): FlashPart[] {
	const description = [file.name, file.version].filter(Boolean).join(' ');
	return file.builds.flatMap(({ chipFamily, parts }) =>
		parts.map(({ path, offset }): FlashPart => {
			const start = `0x${offset.toString(16)}`;
			const chip = chipName(chipFamily);
			return { action: 'flash', chip, name: nameOf(path), path, offset: start, description };
		}),
	);
}

export function partsOfList(list: z.infer<typeof imageList>): FlashPart[] {
	return list.map(({ board_type, flash_offset: offset = '0x0', url: path = '', ...rest }) => {
		const { action, name, position, description, enabled } = rest;
		return {
			action,
			chip: chipName(board_type),
			name,
			path,
			offset,
			position,
			description,
			enabled,
		};
	});
}

/** An unknown name stays as the file spells it, for the error message. */
function wireName(name: string) {
	const wire = snakeCase(name);
	return Object.hasOwn(image.shape, wire) ? wire : name;
}

/** The file name of a path, without its extension. */
function nameOf(path: string) {
	return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.[^.]+$/, '') || path;
}
