// Reads a file of ESP-IDF or ESP Web Tools that says what goes onto a board.
import type { BaseImageInput, Issue } from 'board-access';
import * as z from 'zod/mini';
import { CliError } from '../failures/cli-error.ts';
import { readJson, readTextFile } from '../terminal/input.ts';

/** A base image to flash, whose address may still be a path relative to the file. */
export interface FlashPart extends BaseImageInput {
	/** The name of the chip. */
	boardType: string;
	url: string;
}

/** `flasher_args.json`, which an ESP-IDF build writes next to its images. */
const flasherArgs = z.looseObject({
	flash_files: z.record(z.string(), z.string()),
	extra_esptool_args: z.optional(z.looseObject({ chip: z.optional(z.string()) })),
});

/** `bootloader`, `app` and `partition-table` are keys of the file that name one image each. */
const namedImage = z.looseObject({ offset: z.string(), file: z.string() });

/** `manifest.json` as ESP Web Tools defines it. */
const manifest = z.looseObject({
	name: z.optional(z.string()),
	version: z.optional(z.string()),
	builds: z.array(
		z.looseObject({
			chipFamily: z.string(),
			parts: z.array(z.looseObject({ path: z.string(), offset: z.int().check(z.nonnegative()) })),
		}),
	),
});

const message: z.core.$ZodErrorMap = (issue) => {
	if (issue.code !== 'invalid_type') return undefined;
	return issue.input === undefined ? 'is missing' : `must be of type ${issue.expected}`;
};

/** The parts in their order. */
export async function readFlashFile(file: string): Promise<FlashPart[]> {
	const parts = partsOf(readJson(await readTextFile(file), file), file);
	if (parts.length === 0) throw invalidFile(file, 'contains no image');
	return parts;
}

function partsOf(json: unknown, file: string) {
	const names = typeof json === 'object' && json !== null ? json : {};
	if ('flash_files' in names) return partsOfFlasherArgs(read(flasherArgs, json, file));
	if ('builds' in names) return partsOfManifest(read(manifest, json, file));
	throw invalidFile(file, 'has an unknown format');
}

function read<Content>(schema: z.ZodMiniType<Content>, json: unknown, file: string) {
	const result = z.safeParse(schema, json, { error: message });
	if (result.success) return result.data;
	const issues = result.error.issues.map(({ path, message }) => ({
		path: path.join('.'),
		message,
	}));
	throw invalidFile(file, 'is invalid', issues);
}

function invalidFile(file: string, reason: string, issues?: readonly Issue[]) {
	return new CliError(`${file} ${reason}`, {
		code: 'flash_file_invalid',
		hint: 'Supported formats: flasher_args.json of ESP-IDF and manifest.json of ESP Web Tools. For other images, run admin base-images create.',
		details: { issues },
	});
}

function partsOfFlasherArgs(file: z.infer<typeof flasherArgs>) {
	const names = new Map(
		Object.entries(file).flatMap(([name, value]) => {
			const { data } = z.safeParse(namedImage, value);
			return data ? [[data.file, name] as const] : [];
		}),
	);
	const boardType = chipName(file.extra_esptool_args?.chip ?? '');
	return Object.entries(file.flash_files)
		.map(([flashOffset, url]): FlashPart => {
			const name = names.get(url) ?? nameOf(url);
			return { action: 'flash', boardType, name, url, flashOffset };
		})
		.sort((one, other) => Number(one.flashOffset) - Number(other.flashOffset));
}

function partsOfManifest({ name, version, builds }: z.infer<typeof manifest>) {
	const description = [name, version].filter(Boolean).join(' ') || undefined;
	return builds.flatMap(({ chipFamily, parts }) =>
		parts.map(({ path: url, offset }): FlashPart => {
			const flashOffset = `0x${offset.toString(16)}`;
			const boardType = chipName(chipFamily);
			return { action: 'flash', boardType, name: nameOf(url), url, flashOffset, description };
		}),
	);
}

/** The file name of a path, without its extension. */
function nameOf(path: string) {
	return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.[^.]+$/, '') || path;
}

/** `ESP32-S3` and `esp32s3` are both `esp32-s3`. */
export function chipName(text: string) {
	return text.toLowerCase().replace(/^esp32-?(?=[a-z])/, 'esp32-');
}
