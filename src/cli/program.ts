// The whole command line. Only main.ts touches the process.
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { addAgents } from './agents/commands.ts';
import { addApi } from './api.ts';
import { addBaseImages } from './base-images/commands.ts';
import { addBoards } from './boards/commands.ts';
import { addCompletion } from './completion.ts';
import { addDoctor } from './doctor.ts';
import { ToolExit } from './failures/cli-error.ts';
import { exitCodeMeanings, exitCodes } from './failures/exit-codes.ts';
import { report } from './failures/report.ts';
import { addHelp, suggestionFor } from './help.ts';
import { addKeys } from './keys/commands.ts';
import { addActions } from './leases/actions.ts';
import { addLeases } from './leases/commands.ts';
import { addConsole } from './leases/console.ts';
import { addForward } from './leases/forward.ts';
import { addRun } from './leases/run.ts';
import { addLogin } from './login/commands.ts';
import { addMcp } from './mcp/command.ts';
import { addSharedOptions, inheritOptions } from './options.ts';
import type { Invocation, Io } from './terminal/io.ts';
import { wantsColor } from './terminal/style.ts';

const environment = `
Environment:
  SERVICE_API_KEY   API key
  SERVICE_BASE_URL  address of the service
  NO_COLOR          print without colors

Exit codes:
${Object.entries(exitCodeMeanings)
	.map(([code, meaning]) => `  ${code.padEnd(5)}${meaning}`)
	.join('\n')}`;

const commands = [
	addRun,
	addBoards,
	addLeases,
	addActions,
	addConsole,
	addForward,
	addMcp,
	addKeys,
	addBaseImages,
	addAgents,
	addLogin,
	addDoctor,
	addApi,
	addCompletion,
	addHelp,
];

export function createProgram(run: Invocation) {
	const { stdout, stderr, env } = run;
	const program = new Command('board-access')
		.description('Run firmware on the boards of a Board Access Service')
		.version(version, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'show help')
		.helpCommand(false)
		.enablePositionalOptions()
		.addHelpText('after', environment)
		.hook('preAction', (_, command) => prepare(command))
		.exitOverride()
		.configureOutput({
			writeOut: (text) => stdout.write(text),
			writeErr: (text) => stderr.write(text),
			getOutHelpWidth: () => stdout.columns ?? 80,
			getErrHelpWidth: () => stderr.columns ?? 80,
			// Its default makes Node warn when both NO_COLOR and FORCE_COLOR are set.
			getOutHasColors: () => wantsColor(stdout, env),
			getErrHasColors: () => wantsColor(stderr, env),
			outputError: () => {}, // `run` reports the error that is thrown
		});
	for (const add of commands) add(program, run);
	addSharedOptions(program);
	return program;
}

/** Runs `board-access` with these arguments and returns the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
	const invocation = { ...io, argv };
	const program = createProgram(invocation);
	try {
		await program.parseAsync(argv, { from: 'user' });
		return exitCodes.ok;
	} catch (error) {
		if (error instanceof ToolExit) return error.exitCode;
		const isDone = error instanceof CommanderError && error.exitCode === 0;
		return isDone ? exitCodes.ok : report(withSuggestion(error, program), invocation);
	}
}

/** Commander suggests only commands of the same group. */
function withSuggestion(error: unknown, program: Command) {
	if (!(error instanceof CommanderError) || error.code !== 'commander.unknownCommand') return error;
	const [message = '', ownSuggestion] = error.message.split('\n');
	const [, name = ''] = /'(.*)'/.exec(message) ?? [];
	error.message = [message, suggestionFor(name, program) ?? ownSuggestion].join('\n');
	return error;
}

function prepare(command: Command) {
	inheritOptions(command);
	// An empty value is an unset variable of a script.
	const empty = command.options.find((option) => {
		const value: unknown = command.opts()[option.attributeName()];
		return value === '' || (Array.isArray(value) && value.includes(''));
	});
	if (empty) command.error(`${empty.long} is empty`);
}
