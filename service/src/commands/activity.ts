// board-access-service activity export
import { activityKinds } from 'board-access-contract';
import { activityLines, findAccount } from 'board-access-core';
import { type Command, Option } from 'commander';
import { write } from './output.ts';
import { databaseOption, withDatabase } from './with-database.ts';

interface Options {
	database?: string;
	account?: string;
	kind?: (typeof activityKinds)[number];
}

export function activityCommand(program: Command) {
	const activity = program.command('activity').description('read the activity log');
	databaseOption(
		activity
			.command('export')
			.description('write the activity log to standard output as JSON lines, newest first'),
	)
		.option('--account <email>', 'only what this account did and what was done to it')
		.addOption(new Option('--kind <kind>', 'only entries of this kind').choices(activityKinds))
		.action(exportAll);
}

function exportAll({ account: email, kind, ...options }: Options) {
	return withDatabase(options, async ({ database: { query } }) => {
		const account = email === undefined ? undefined : await findAccount(query, email);
		if (email !== undefined && !account) {
			throw new Error(`There is no account with the address ${email}`);
		}
		for await (const lines of activityLines(query, { accountId: account?.id, kind })) {
			await write(lines);
		}
	});
}
