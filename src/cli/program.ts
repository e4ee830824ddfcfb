// All commands together.
import { Command, CommanderError, Help } from 'commander';
import { version } from '../../package.json';
import { addApi } from './api.ts';
import { addBaseImages } from './base-images/commands.ts';
import { addBoards } from './boards.ts';
import { addCompletion } from './completion/command.ts';
import { addDoctor } from './doctor/command.ts';
import { report } from './doctor/report.ts';
import { type ExitCode, exitCodeMeanings, exitCodes } from './failures/exit-codes.ts';
import { addKeys } from './keys/commands.ts';
import type { Invocation } from './terminal/io.ts';

const environment = `
Environment:
  SERVICE_API_KEY   the API key
  SERVICE_BASE_URL  the address of the service
  NO_COLOR          print without colours

Exit codes:
${Object.entries(exitCodeMeanings)
	.map(([code, meaning]) => `  ${code.padEnd(5)}${meaning}`)
	.join('\n')}`;

export function createProgram(run: Invocation) {
	const { stdout, stderr } = run;
	const program = new Command('board-access')
		.description('API keys, boards and base images of a Board Access Service')
		.version(version, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'show help')
		.helpCommand('help [command]', 'show the help of a command')
		.addHelpText('after', environment)
		.configureHelp({
			// The options of a command come before those that all have, which were added first.
			groupItems: (items, visible, groupOf) =>
				Help.prototype.groupItems([...items].reverse(), visible, groupOf),
		})
		.hook('preAction', (_, command) => refuseEmpty(command))
		.exitOverride()
		.configureOutput({
			writeOut: (text) => stdout.write(text),
			writeErr: (text) => stderr.write(text),
			getOutHelpWidth: () => stdout.columns ?? 80,
			getErrHelpWidth: () => stderr.columns ?? 80,
			outputError: () => {}, // what is thrown is reported, once
		});
	addBoards(program, run);
	addKeys(program, run);
	addBaseImages(program, run);
	addDoctor(program, run);
	addApi(program, run);
	addCompletion(program, run);
	return program;
}

function isDone(error: unknown) {
	return error instanceof CommanderError && error.exitCode === 0;
}

/** Carries out the command; gives the exit code. */
export async function runProgram(run: Invocation): Promise<ExitCode> {
	try {
		await createProgram(run).parseAsync(run.argv, { from: 'user' });
		return exitCodes.ok;
	} catch (error) {
		return isDone(error) ? exitCodes.ok : report(error, run);
	}
}

// A variable of a script that was not set must not pass for an option that was left out.
function refuseEmpty(command: Command) {
	const empty = command.options.find((option) => command.opts()[option.attributeName()] === '');
	if (empty) command.error(`${empty.long} is empty`);
}
