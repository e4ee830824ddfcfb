// Only one service can run on an SQLite file, because two would not notice each other's changes.
import { DatabaseSync } from 'node:sqlite';
import { filePath } from '../location.ts';
import { isBusy } from './busy.ts';
import { makePrivate } from './sqlite.ts';

/**
 * Claims a database file, and returns a function that releases it. Throws if another service uses the file. The lock is
 * on a file of its own, so that commands and backups go on, and it ends with the process.
 */
export function claimFile(location: string) {
	const path = filePath(location);
	if (!path) return () => {};
	const file = `${path}-lock`;
	makePrivate(file);
	const lock = new DatabaseSync(file, { timeout: 1_000 });
	try {
		lock.exec('begin immediate');
	} catch (error) {
		lock.close();
		if (!isBusy(error)) throw error;
		throw new Error(
			`Another service uses ${path}. Stop it first; only with PostgreSQL can several run at a time.`,
		);
	}
	return () => lock.close();
}
