// One service at a time runs on an SQLite file: two would not know of each other's leases and agents.
import { DatabaseSync } from 'node:sqlite';
import { filePath } from '../location.ts';
import { isBusy } from './busy.ts';
import { makePrivate } from './sqlite.ts';

/**
 * Claims the file of a database until the function that it returns is called or the process ends; throws if
 * another service has it. The lock is on a file of its own, so that commands and backups go on; the
 * operating system releases it, so that a killed service leaves none behind.
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
