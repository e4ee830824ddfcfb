// Says on standard error how other users of the machine can get at the database.
import { statSync } from 'node:fs';
import { filePath, holdsPassword } from 'board-access-core';

/** Warns about a password in the option `--database`, and about a file that others can open. */
export function warnAboutDatabase(location: string, option: string | undefined) {
	if (option && holdsPassword(option)) {
		// From here on the list of processes shows the title instead of the arguments.
		process.title = 'board-access-service';
		console.error(
			'Warning: the list of processes has shown the password in --database to every user of this machine. Set DATABASE_URL instead, or DATABASE_URL_FILE to a file that contains the address.',
		);
	}
	const path = filePath(location);
	if (path && isOpenToOthers(path)) {
		console.error(`Warning: other users of this machine can open ${path}. Run: chmod 600 ${path}`);
	}
}

function isOpenToOthers(path: string) {
	if (process.platform === 'win32') return false;
	const stats = statSync(path, { throwIfNoEntry: false });
	return stats?.isFile() === true && (stats.mode & 0o077) !== 0;
}
