// Reads `flasher_args.json`, which an ESP-IDF build writes next to its images.
import * as z from 'zod/mini';
import { chipName, type FlashPart, nameOf } from './flash-part.ts';

const section = z.looseObject({ offset: z.string(), file: z.string() });

export const flasherArgs = z.looseObject({
	flash_files: z.record(z.string(), z.string()),
	flash_settings: z.optional(z.looseObject({ flash_size: z.optional(z.string()) })),
	extra_esptool_args: z.optional(z.looseObject({ chip: z.optional(z.string()) })),
});

export function partsOfFlasherArgs(file: z.infer<typeof flasherArgs>): FlashPart[] {
	const names = namedSections(file);
	const flashSize = bytesOf(file.flash_settings?.flash_size);
	const chip = chipName(file.extra_esptool_args?.chip ?? '');
	return Object.entries(file.flash_files)
		.map(([offset, path]): FlashPart => {
			const name = names.get(path) ?? nameOf(path);
			return { action: 'flash', chip, name, path, offset, flashSize };
		})
		.sort((one, other) => Number(one.offset) - Number(other.offset));
}

function bytesOf(size: string | undefined) {
	const [, count, unit] = /^(\d+)([KM])B$/.exec(size ?? '') ?? [];
	return count === undefined ? undefined : Number(count) * (unit === 'K' ? 1024 : 1024 ** 2);
}

// `bootloader`, `app` and `partition-table` are keys of the file that name one image each.
function namedSections(file: z.infer<typeof flasherArgs>) {
	return new Map(
		Object.entries(file).flatMap(([name, value]) => {
			const read = z.safeParse(section, value);
			return read.success ? [[read.data.file, name] as const] : [];
		}),
	);
}
