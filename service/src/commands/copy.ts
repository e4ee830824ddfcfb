// board-access-service copy: moves a service to another database.
import { copyDatabase, settingsFrom } from 'board-access-core';
import type { Command } from 'commander';
import { warnAboutDatabase } from './warn-about-database.ts';
import { requireFile } from './with-database.ts';

export function copyCommand(program: Command) {
	program
		.command('copy')
		.description('copy all data into an empty database, such as from SQLite to PostgreSQL')
		.requiredOption('--from <file|url>', 'SQLite file or postgres:// address that has the data')
		.option('--to <file|url>', 'SQLite file or postgres:// address (DATABASE_URL)')
		.action(copy);
}

const progressEvery = 1_000;

async function copy(named: { from: string; to?: string }) {
	const locationOf = (name: string | undefined) =>
		settingsFrom(process.env, { options: { DATABASE_URL: name } }).database;
	const [from, to] = [locationOf(named.from), locationOf(named.to)];
	requireFile(from);
	warnAboutDatabase(from, named.from);
	warnAboutDatabase(to, named.to);
	let last = 0;
	const onProgress = (table: string, rows: number) => {
		if (performance.now() - last < progressEvery) return;
		last = performance.now();
		console.error(`${table}: ${rows} rows copied`);
	};
	const tables = await copyDatabase({ from, to, onProgress });
	const width = Math.max(...tables.map(({ table }) => table.length));
	console.log(`${'TABLE'.padEnd(width)}        ROWS  CHECKSUM`);
	for (const { table, rows, sum } of tables) {
		console.log(`${table.padEnd(width)}  ${String(rows).padStart(10)}  ${sum}`);
	}
	console.error('Both databases have the same rows. Start the service with the new one.');
}
