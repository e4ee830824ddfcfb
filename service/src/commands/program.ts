// The commands, and how an error is printed.
import { redact } from 'board-access-contract';
import { Command } from 'commander';
import { version } from '../../package.json';
import { accountCommand } from './account.ts';
import { boardsCommand } from './boards.ts';
import { checkCommand } from './check.ts';
import { copyCommand } from './copy.ts';
import { printable } from './output.ts';
import { startCommand } from './start.ts';
import { databaseOption, withDatabase } from './with-database.ts';

const hints: Record<string, string> = {
	EADDRINUSE: 'Choose another port with --port or PORT.',
	ECONNREFUSED: 'The database is not running at that address: start it, or change DATABASE_URL.',
	EADDRNOTAVAIL: 'Choose an address of this machine with --host or HOST.',
};

export async function runProgram() {
	const program = new Command('board-access-service')
		.description('the Board Access Service: boards, API keys and base images')
		.version(version);
	startCommand(program);
	databaseOption(
		program.command('migrate').description('migrate the database schema and list the steps'),
	).action(migrate);
	checkCommand(program);
	copyCommand(program);
	accountCommand(program);
	boardsCommand(program);
	try {
		await program.parseAsync();
	} catch (error) {
		console.error(printable(redact(error instanceof Error ? error.message : String(error))));
		const hint = error instanceof Error && 'code' in error && hints[String(error.code)];
		if (hint) console.error(hint);
		process.exitCode = 1;
	}
}

function migrate(options: { database?: string }) {
	return withDatabase({ ...options, create: true }, (_database, migrations) =>
		console.log(migrations.join('\n') || 'The schema is up to date.'),
	);
}
