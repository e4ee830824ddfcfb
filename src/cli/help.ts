// `board-access help`: the help of any command, however deep.
import type { Command } from 'commander';
import { CliError } from './failures/cli-error.ts';
import { exitCodes } from './failures/exit-codes.ts';
import { addCommand, examples } from './options.ts';
import type { Io } from './terminal/io.ts';
import { printJson } from './terminal/output.ts';

export function addHelp(program: Command, io: Io) {
	return addCommand(program, 'help')
		.description('show the help of a command')
		.argument('[command...]', 'the command, for example: keys create')
		.addHelpText('after', examples('board-access help keys create'))
		.action((words: string[], { json }: { json?: true }) => {
			const command = commandAt(program, words);
			if (json) printJson({ help: command.helpInformation() }, io);
			else command.outputHelp();
		});
}

function commandAt(program: Command, words: readonly string[]) {
	let command = program;
	for (const word of words) {
		const next = command.commands.find((child) => child.name() === word);
		if (next === undefined) throw unknownCommand(words, command);
		command = next;
	}
	return command;
}

function unknownCommand(words: readonly string[], { commands }: Command) {
	const names = commands.map((command) => command.name()).join(', ');
	return new CliError(`Unknown command "${words.join(' ')}"`, {
		code: 'usage',
		exitCode: exitCodes.usage,
		hint: names ? `Available commands: ${names}.` : undefined,
	});
}
