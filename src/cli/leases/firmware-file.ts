// Reads a firmware file.
import { readFile } from 'node:fs/promises';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { reasonOf } from '../terminal/input.ts';

export async function readFirmware(file: string) {
	try {
		return new Uint8Array(await readFile(file));
	} catch (error) {
		throw new CliError(`The file ${file} cannot be read: ${reasonOf(error)}`, {
			code: 'file_unreadable',
			exitCode: exitCodes.usage,
			cause: error,
		});
	}
}
