// board-access-service migrate
import type { Command } from 'commander';
import { databaseOption, withDatabase } from './with-database.ts';

export function migrateCommand(program: Command) {
	return databaseOption(
		program.command('migrate').description('migrate the database schema and list the steps'),
	).action((options: { database?: string }) =>
		withDatabase({ ...options, create: true }, (_database, migrations) =>
			console.log(migrations.join('\n') || 'The schema is up to date.'),
		),
	);
}
