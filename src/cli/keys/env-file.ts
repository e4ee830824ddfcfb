// Writes a key to a file of its own that nobody else can read.
import { constants, open, unlink } from 'node:fs/promises';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { reasonOf } from '../terminal/input.ts';

interface EnvFile {
	/** Ends the file with the key in it. */
	write(key: string): Promise<void>;
	/** Leaves no file behind, as far as the file system lets it. */
	remove(): Promise<void>;
}

const reasons = {
	EEXIST: 'it exists already',
	ENOENT: 'its folder does not exist',
	EACCES: 'you may not write there',
};

/** Opens the file before the key is made, so that no key is lost for want of a place to put it. */
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
	// Only a file that is made here has the right mode, and O_EXCL never follows a link.
	const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
	try {
		return await open(file, flags, 0o600);
	} catch (error) {
		throw new CliError(`The file ${file} cannot be created: ${reasonOf(error, reasons)}`, {
			code: 'file_not_created',
			exitCode: exitCodes.usage,
			cause: error,
		});
	}
}
