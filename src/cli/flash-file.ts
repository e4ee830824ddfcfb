// Reads a file that says what goes onto a board, in any of the forms that are understood.
import * as z from 'zod/mini';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import type { FlashPart } from './flash-part.ts';
import { flasherArgs, partsOfFlasherArgs } from './flasher-args.ts';
import { imageList, partsOfList } from './image-list.ts';
import { readJson, readTextFile } from './input.ts';
import { partsOfManifest, webToolsManifest } from './web-tools-manifest.ts';

const unfit = (file: string, reason: string) =>
	new CliError(`${file} ${reason}`, {
		code: 'flash_file_invalid',
		exitCode: exitCodes.usage,
		hint: 'Understood are flasher_args.json of ESP-IDF, manifest.json of ESP Web Tools, and a list of base images.',
	});

const read = <Content>(schema: z.ZodMiniType<Content>, json: unknown, file: string) => {
	const result = z.safeParse(schema, json);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const message =
		issue?.code === 'invalid_type' ? `must be of type ${issue.expected}` : issue?.message;
	throw unfit(file, `is wrong at ${issue?.path.join('.') || 'its top'}: ${message}`);
};

const partsOf = (json: unknown, file: string) => {
	if (Array.isArray(json)) return partsOfList(read(imageList, json, file));
	const names = typeof json === 'object' && json !== null ? json : {};
	if ('flash_files' in names) return partsOfFlasherArgs(read(flasherArgs, json, file));
	if ('builds' in names) return partsOfManifest(read(webToolsManifest, json, file));
	throw unfit(file, 'is not in a form that is understood');
};

/** The parts in the order in which they are carried out. */
export const readFlashFile = async (file: string): Promise<FlashPart[]> => {
	const parts = partsOf(readJson(await readTextFile(file), file), file);
	if (parts.length === 0) throw unfit(file, 'names no image');
	return parts;
};
