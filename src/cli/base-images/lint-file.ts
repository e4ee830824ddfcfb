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
import { type Problem, problemsOf } from './flash-rules.ts';

const columns = [
	{ title: 'RULE', value: ({ rule }: Problem) => rule },
	{ title: 'PROBLEM', value: ({ message }: Problem) => message },
];

export async function lintFile(file: string, options: OutputOptions, io: Io) {
	const { problems, sizes } = await problemsIn(await readFlashFile(file), file);
	printList(problems, { columns, empty: `${file}: no problems found.` }, { options, io });
	if (problems.length > 0) {
		const hint = 'A board with these entries will probably not start.';
		throw problemsFound(file, problems, { hint });
	}
	const { length } = sizes.filter((size) => size === undefined);
	if (length === 0) return;
	const found = `${length} of ${sizes.length} images are not beside the file`;
	note(`${found}: overlap and flash-size could not be checked for them.`, io);
}

/** The problems in the parts of a file, and the sizes of its images. */
export async function problemsIn(given: readonly FlashPart[], file: string) {
	const sizeOf = async (path: string) => {
		if (path === '' || isWebAddress(path)) return undefined;
		const found = await stat(resolve(dirname(file), path)).catch(() => undefined);
		return found?.isFile() ? found.size : undefined;
	};
	const parts = await Promise.all(
		given.map(async (part) => ({ ...part, size: await sizeOf(part.path) })),
	);
	const problems = [...Map.groupBy(parts, ({ chip }) => chip).values()].flatMap(problemsOf);
	const images = parts.filter(({ action }) => action === 'flash');
	return { problems, sizes: images.map(({ size }) => size) };
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
