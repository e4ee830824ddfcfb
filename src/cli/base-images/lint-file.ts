// `base-images lint`: checks a file board type by board type, with the sizes of the images beside it.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { note, printList } from '../terminal/output.ts';
import { type FlashPart, isWebAddress, readFlashFile } from './flash-file.ts';
import { type Problem, problemsOf } from './flash-rules.ts';

const columns = [
	{ title: 'RULE', value: ({ rule }: Problem) => rule },
	{ title: 'PROBLEM', value: ({ message }: Problem) => message },
];

export async function lintFile(file: string, options: OutputOptions, io: Io) {
	const { problems, images } = await problemsIn(await readFlashFile(file), file);
	printList(problems, { columns, empty: `${file}: no problems found.` }, { options, io });
	if (problems.length > 0) {
		const hint = 'A board with these entries will probably not start.';
		throw problemsFound(file, problems, { hint });
	}
	const { length } = images.filter(({ size }) => size === undefined);
	if (length === 0) return;
	const found = `${length} of ${images.length} images are not beside the file`;
	note(`${found}: overlap and flash-size could not be checked for them.`, io);
}

/** The problems in the parts of a file, and its images with their sizes. */
export async function problemsIn(given: readonly FlashPart[], file: string) {
	const sized = async (part: FlashPart) => ({ ...part, size: await sizeOf(part, file) });
	const parts = await Promise.all(given.map(sized));
	const problems = [...Map.groupBy(parts, (part) => part.boardType).values()].flatMap(problemsOf);
	return { problems, images: parts.filter(({ action }) => action === 'flash') };
}

async function sizeOf({ url }: FlashPart, file: string) {
	if (!url || isWebAddress(url)) return undefined;
	const found = await stat(resolve(dirname(file), url)).catch(() => undefined);
	return found?.isFile() ? found.size : undefined;
}

/** The error for a file with problems, with advice and details. */
export function problemsFound(
	file: string,
	{ length }: readonly Problem[],
	more: Pick<CliError, 'hint'> & Partial<Pick<CliError, 'details'>>,
) {
	const message = `${file}: ${length} ${length === 1 ? 'problem' : 'problems'}`;
	return new CliError(message, { code: 'lint_problems', exitCode: exitCodes.general, ...more });
}
