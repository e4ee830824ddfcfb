// Says why a file cannot be read or written.

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'it does not exist',
	EACCES: 'permission denied',
	EISDIR: 'it is a directory',
	ENOTDIR: 'its path leads through a file',
	ELOOP: 'it is a symbolic link',
	ENXIO: 'it is a pipe that nobody reads',
	ENOSPC: 'no space left on the device',
	EPIPE: 'the reader closed the pipe',
};

/** As the file itself need not exist, its directory is what is missing. */
export const reasonsNotWritten = { ...reasons, ENOENT: 'its directory does not exist' };

/** The reason of a file system error, in the words for its code. */
export function reasonOf(error: unknown, words = reasons) {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return words[code] ?? (code || 'unknown reason');
}
