// What every command but `start` does first and last: opens the database, and closes it.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { asActor, type Core, createLog, filePath, openCore, settingsFrom } from 'board-access-core';
import type { Command } from 'commander';
import { warnAboutDatabase } from './warn-about-database.ts';

/** Adds the option that names the database. */
export function databaseOption(command: Command) {
	return command.option(
		'--database <file|url>',
		'SQLite file or postgres:// address (DATABASE_URL)',
	);
}

/**
 * Runs a command's work on the database that the option or the environment names, once the
 * schema is up to date; the work gets the names of the applied migrations. A missing file is created only
 * where the command says so.
 */
export async function withDatabase(
	{ database: named, create = false }: { database?: string; create?: boolean },
	work: (core: Core, migrations: readonly string[]) => Promise<void> | void,
) {
	const settings = settingsFrom(process.env, { options: { DATABASE_URL: named } });
	if (!create) requireFile(settings.database);
	warnAboutDatabase(settings.database, named);
	const core = await openCore(settings, createLog('silent'));
	try {
		// An operator waits for locks as long as it takes.
		const database = { ...core.database, query: core.database.patient };
		await asActor({ via: 'command_line' }, () => work({ ...core, database }, core.migrations));
	} finally {
		await core.close();
	}
}

export function requireFile(location: string) {
	const path = filePath(location);
	if (path === undefined || existsSync(path)) return;
	throw new Error(
		`There is no database at ${resolve(path)}; name yours with --database or DATABASE_URL`,
	);
}
