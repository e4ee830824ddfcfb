// Writes a key to a new file that only its owner can read.
import { constants, open, unlink } from 'node:fs/promises';
import { CliError } from '../failures/cli-error.ts';
import { reasonOf, reasonsNotWritten } from '../terminal/input.ts';

interface EnvFile {
	/** Writes the key and closes the file. */
	write(key: string): Promise<void>;
	/** Removes the file again. */
	remove(): Promise<void>;
}

const reasons = { ...reasonsNotWritten, EEXIST: 'it already exists' };

/** Opens the file before the key is created, so that an invalid path costs no key. */
export async function createEnvFile(file: string): Promise<EnvFile> {
	const handle = await openNew(file);
	return {
		async write(key) {
			await handle.writeFile(`SERVICE_API_KEY=${key}\n`);
			await handle.sync();
			await handle.close();
		},
		async remove() {
			await handle.close().catch(() => {});
			await unlink(file).catch(() => {});
		},
	};
}

async function openNew(file: string) {
	// Only a new file gets the right mode, and O_EXCL never follows a link.
	const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
	try {
		return await open(file, flags, 0o600);
	} catch (error) {
		throw new CliError(`The file ${file} cannot be created: ${reasonOf(error, reasons)}`, {
			code: 'file_not_created',
			cause: error,
		});
	}
}
