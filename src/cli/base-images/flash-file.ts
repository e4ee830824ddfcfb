// Reads a file that says what goes onto a board, in any of the supported formats.
import type { Issue } from 'board-access';
import * as z from 'zod/mini';
import { CliError } from '../failures/cli-error.ts';
import { readJson, readTextFile } from '../terminal/input.ts';
import type { FlashPart } from './flash-part.ts';
import {
	flasherArgs,
	imageList,
	partsOfFlasherArgs,
	partsOfList,
	partsOfManifest,
	webToolsManifest,
} from './formats.ts';

const expectation: z.core.$ZodErrorMap = (issue) => {
	if (issue.code === 'unrecognized_keys') return `unknown field ${issue.keys.join(', ')}`;
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
	if (Array.isArray(json)) return partsOfList(read(imageList, json, file));
	const names = typeof json === 'object' && json !== null ? json : {};
	if ('flash_files' in names) return partsOfFlasherArgs(read(flasherArgs, json, file));
	if ('builds' in names) return partsOfManifest(read(webToolsManifest, json, file));
	throw invalidFile(file, 'has an unknown format');
}

function read<Content>(schema: z.ZodMiniType<Content>, json: unknown, file: string) {
	const result = z.safeParse(schema, json, { error: expectation });
	if (result.success) return result.data;
	throw invalidFile(file, 'is invalid', result.error.issues.map(issueOf));
}

// The entries of a list are counted from 1.
function issueOf({ path: [first, ...rest], message }: z.core.$ZodIssue): Issue {
	return typeof first === 'number'
		? { path: `entry ${first + 1}`, message: `${rest.join('.')} ${message}`.trim() }
		: { path: [first, ...rest].join('.'), message };
}

function invalidFile(file: string, reason: string, issues?: readonly Issue[]) {
	return new CliError(`${file} ${reason}`, {
		code: 'flash_file_invalid',
		hint: 'Supported formats: flasher_args.json of ESP-IDF, manifest.json of ESP Web Tools, a list of base images.',
		details: { issues },
	});
}
