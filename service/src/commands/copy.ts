// board-access-service copy: moves a service to another database.
import { copyDatabase, settingsFrom } from 'board-access-core';
import { type Command, Option } from 'commander';
import { warnAboutDatabase } from './warn-about-database.ts';
import { requireFile } from './with-database.ts';

export function copyCommand(program: Command) {
	program
		.command('copy')
		.description('copy all data into an empty database, such as from SQLite to PostgreSQL')
		.addOption(from)
		.option('--to <file|url>', 'SQLite file or postgres:// address (DATABASE_URL)')
		.action(copy);
}

const from = new Option('--from <file|url>', 'SQLite file or postgres:// address with the data')
	.env('FROM_DATABASE_URL')
	.makeOptionMandatory();

async function copy(named: { from: string; to?: string }) {
	const [from, to] = [locationOf(named.from), locationOf(named.to)];
	requireFile(from);
	let last = 0;
	const tables = await copyDatabase({ from, to }, (table, rows) => {
		if (performance.now() - last < 1_000) return;
		last = performance.now();
		console.error(`${table}: ${rows} rows`);
	});
	const columns = (...texts: string[]) => console.log(texts.join('  '));
	columns('TABLE'.padEnd(18), 'ROWS'.padStart(10), 'CHECKSUM');
	for (const { table, rows, sum } of tables) {
		columns(table.padEnd(18), String(rows).padStart(10), sum);
	}
	console.error('Both databases have these rows. Start the service with the new one.');
}

function locationOf(named?: string) {
	const { database } = settingsFrom(process.env, { options: { DATABASE_URL: named } });
	warnAboutDatabase(database, named);
	return database;
}
