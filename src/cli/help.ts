// `board-access help`: the help of any command, however deep.
import type { Command } from 'commander';
import { CliError } from './failures/cli-error.ts';
import { addOfflineCommand } from './options.ts';
import type { Io } from './terminal/io.ts';
import { printJson } from './terminal/output.ts';

export function addHelp(program: Command, io: Io) {
	addOfflineCommand(program, 'help', 'show the help of a command', [
		'board-access help keys create',
	])
		.argument('[command...]', 'the command, for example: keys create')
		.action((words: string[], { json }: { json?: true }) => {
			const command = commandAt(program, words);
			if (json) printJson({ help: command.helpInformation() }, io);
			else command.outputHelp();
		});
}

function commandAt(program: Command, words: readonly string[]) {
	let command = program;
	for (const word of words) {
		const names = command.commands.map((child) => child.name()).join(', ');
		const next = command.commands.find((child) => child.name() === word);
		if (next === undefined) {
			const hint = names ? `Available commands: ${names}.` : undefined;
			throw new CliError(`Unknown command "${words.join(' ')}"`, { hint });
		}
		command = next;
	}
	return command;
}
