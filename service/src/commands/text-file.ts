// Reads the files that commands are given.
import { readFile } from 'node:fs/promises';

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'it does not exist',
	EACCES: 'you may not read it',
	EISDIR: 'it is a directory',
};

export const readTextFile = (file: string) =>
	readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		const reason = reasons[error.code ?? ''] ?? error.message;
		throw new Error(`The file ${file} cannot be read: ${reason}`, { cause: error });
	});
