// `base-images lint`: checks a file chip by chip, with the sizes of the images beside it.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { note, printList } from '../terminal/output.ts';
import { readFlashFile } from './flash-file.ts';
import { type FlashPart, isWebAddress } from './flash-part.ts';
import { type Problem, problemsOf, type SizedPart } from './flash-rules.ts';

const columns = [
	{ title: 'RULE', value: ({ rule }: Problem) => rule },
	{ title: 'PROBLEM', value: ({ message }: Problem) => message },
];

/** The problems in the parts of a file. */
export async function lintParts(parts: readonly FlashPart[], file: string) {
	return problemsByChip(await measured(parts, file));
}

/** The error for a file with problems, with advice and details. */
export function problemsFound(
	file: string,
	{ length }: readonly Problem[],
	more: Pick<CliError, 'hint'> & Partial<Pick<CliError, 'details'>>,
) {
	return new CliError(`${file}: ${length} ${length === 1 ? 'problem' : 'problems'}`, {
		code: 'lint_problems',
		exitCode: exitCodes.general,
		...more,
	});
}

function noteUnmeasured(parts: readonly SizedPart[], io: Io) {
	const images = parts.filter(({ action }) => action === 'flash');
	const { length } = images.filter(({ size }) => size === undefined);
	if (length === 0) return;
	const found = `${length} of ${images.length} images are not beside the file`;
	note(`${found}: overlap and flash-size could not be checked for them.`, io);
}

export async function lintFile(file: string, options: OutputOptions, io: Io) {
	const parts = await measured(await readFlashFile(file), file);
	const problems = problemsByChip(parts);
	printList(problems, { columns, empty: `${file}: no problems found.` }, { options, io });
	if (problems.length === 0) return noteUnmeasured(parts, io);
	const hint = 'A board with these entries will probably not start.';
	throw problemsFound(file, problems, { hint });
}

async function sizeOf(path: string, directory: string) {
	if (path === '' || isWebAddress(path)) return undefined;
	const file = await stat(resolve(directory, path)).catch(() => undefined);
	return file?.isFile() ? file.size : undefined;
}

function measured(parts: readonly FlashPart[], file: string): Promise<SizedPart[]> {
	return Promise.all(
		parts.map(async (part) => ({ ...part, size: await sizeOf(part.path, dirname(file)) })),
	);
}

function problemsByChip(parts: readonly SizedPart[]): Problem[] {
	return [...Map.groupBy(parts, ({ chip }) => chip).values()].flatMap(problemsOf);
}
