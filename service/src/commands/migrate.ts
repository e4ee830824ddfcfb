// board-access-service migrate
import type { Command } from 'commander';
import { openDatabase } from '../database/database.ts';
import { migrate } from '../database/migrations.ts';
import { settingsFrom } from '../env.ts';
import { databaseOption } from './with-database.ts';

export const migrateCommand = (program: Command) =>
	databaseOption(
		program.command('migrate').description('Bring the schema up to date and name the steps'),
	).action(async ({ database: named }: { database?: string }) => {
		const { databaseUrl } = settingsFrom({ ...process.env, ...(named && { DATABASE_URL: named }) });
		const database = await openDatabase(databaseUrl);
		const applied = await migrate(database.query);
		console.log(applied.length > 0 ? applied.join('\n') : 'The schema is up to date.');
		await database.close();
	});
