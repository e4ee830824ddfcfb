// Reads `manifest.json` as ESP Web Tools defines it.
import * as z from 'zod/mini';
import { chipName, type FlashPart, nameOf } from './flash-part.ts';

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

export function partsOfManifest(file: z.infer<typeof webToolsManifest>): FlashPart[] {
	const description = [file.name, file.version].filter(Boolean).join(' ');
	return file.builds.flatMap(({ chipFamily, parts }) =>
		parts.map(
			({ path, offset }): FlashPart => ({
				action: 'flash',
				chip: chipName(chipFamily),
				name: nameOf(path),
				path,
				offset: `0x${offset.toString(16)}`,
				description,
			}),
		),
	);
}
