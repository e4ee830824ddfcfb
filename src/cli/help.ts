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

/** Suggests the commands with this name, at any depth. */
export function suggestionFor(name: string, program: Command) {
	const found = commandsNamed(name, program, program.name());
	return found.length > 0 ? `Did you mean ${found.join(' or ')}?` : undefined;
}

function commandsNamed(name: string, command: Command, path: string): string[] {
	return command.commands.flatMap((child) => {
		const own = `${path} ${child.name()}`;
		return [...(child.name() === name ? [`"${own}"`] : []), ...commandsNamed(name, child, own)];
	});
}

function commandAt(program: Command, words: readonly string[]) {
	let command = program;
	for (const word of words) {
		const names = command.commands.map((child) => child.name()).join(', ');
		const next = command.commands.find((child) => child.name() === word);
		if (next === undefined) {
			const available = names ? `Available commands: ${names}.` : undefined;
			const hint = suggestionFor(word, program) ?? available;
			throw new CliError(`Unknown command "${words.join(' ')}"`, { hint });
		}
		command = next;
	}
	return command;
}
