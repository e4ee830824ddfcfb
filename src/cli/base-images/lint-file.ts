// `base-images lint`: checks a file chip by chip, with the sizes of the images that lie beside it.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { note, printList } from '../terminal/output.ts';
import { readFlashFile } from './flash-file.ts';
import { type FlashPart, isWebAddress } from './flash-part.ts';
import { type Fault, faultsOf, type SizedPart } from './flash-rules.ts';

const columns = [
	{ title: 'RULE', value: (fault: Fault) => fault.rule },
	{ title: 'FAULT', value: (fault: Fault) => fault.message },
];

/** The faults in the parts of a file. */
export async function lintParts(parts: readonly FlashPart[], file: string) {
	return faultsByChip(await measured(parts, file));
}

/** The error for a file with faults; `more` says what they lead to. */
export function faultsFound(
	file: string,
	{ length }: readonly Fault[],
	more: Pick<CliError, 'hint'> & Partial<Pick<CliError, 'details'>>,
) {
	return new CliError(`${file}: ${length} ${length === 1 ? 'fault' : 'faults'}`, {
		code: 'lint_faults',
		exitCode: exitCodes.general,
		...more,
	});
}

function noteUnmeasured(parts: readonly SizedPart[], io: Io) {
	const images = parts.filter(({ action }) => action === 'flash');
	const { length } = images.filter(({ size }) => size === undefined);
	if (length === 0) return;
	const found = `${length} of ${images.length} images do not lie beside the file`;
	note(`${found}: without their sizes, overlap and flash-size were not looked for in them.`, io);
}

export async function lintFile(file: string, options: OutputOptions, io: Io) {
	const parts = await measured(await readFlashFile(file), file);
	const faults = faultsByChip(parts);
	printList(faults, { columns, empty: `${file}: no fault found.` }, { options, io });
	if (faults.length === 0) return noteUnmeasured(parts, io);
	const hint = 'A board that is flashed like this will most likely not start.';
	throw faultsFound(file, faults, { hint });
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

function faultsByChip(parts: readonly SizedPart[]): Fault[] {
	return [...Map.groupBy(parts, ({ chip }) => chip).values()].flatMap(faultsOf);
}
