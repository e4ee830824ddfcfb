// `base-images lint`: checks a file chip by chip, with the sizes of the images that lie beside it.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { readFlashFile } from './flash-file.ts';
import { type FlashPart, isWebAddress } from './flash-part.ts';
import { type Fault, faultsOf } from './flash-rules.ts';
import type { Io } from './io.ts';
import type { OutputOptions } from './options.ts';
import { printList } from './output.ts';

const columns = [
	{ title: 'RULE', value: (fault: Fault) => fault.rule },
	{ title: 'FAULT', value: (fault: Fault) => fault.message },
];

const sizeOf = async (path: string, directory: string) => {
	if (path === '' || isWebAddress(path)) return undefined;
	const file = await stat(resolve(directory, path)).catch(() => undefined);
	return file?.isFile() ? file.size : undefined;
};

/** The faults in the parts of a file. */
export const lintParts = async (parts: readonly FlashPart[], file: string): Promise<Fault[]> => {
	const sized = await Promise.all(
		parts.map(async (part) => ({ ...part, size: await sizeOf(part.path, dirname(file)) })),
	);
	return [...Map.groupBy(sized, ({ chip }) => chip).values()].flatMap(faultsOf);
};

/** The error for a file with faults; `more` says what they lead to. */
export const faultsFound = (
	file: string,
	{ length }: readonly Fault[],
	more: Pick<CliError, 'hint'> & Partial<Pick<CliError, 'details'>>,
) =>
	new CliError(`${file}: ${length} ${length === 1 ? 'fault' : 'faults'}`, {
		code: 'lint_faults',
		exitCode: exitCodes.general,
		...more,
	});

export const lintFile = async (file: string, options: OutputOptions, io: Io) => {
	const faults = await lintParts(await readFlashFile(file), file);
	printList(faults, { columns, empty: `${file}: no fault found.` }, { options, io });
	if (faults.length === 0) return;
	const hint = 'A board that is flashed like this will most likely not start.';
	throw faultsFound(file, faults, { hint });
};
