// `board-access completion`: scripts for the shells, and the words that they offer.
import type { Command } from 'commander';
import { addCommand, examples, type OutputOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { printJson } from '../terminal/output.ts';
import { completionScripts } from './scripts.ts';

interface Candidate {
	word: string;
	meaning: string;
}

const installs = {
	bash: 'echo "source <(board-access completion bash)" >> ~/.bashrc',
	zsh: 'echo "source <(board-access completion zsh)" >> ~/.zshrc   # after compinit',
	fish: 'board-access completion fish > ~/.config/fish/completions/board-access.fish',
} as const;

export function addCompletion(program: Command, io: Io) {
	const completion = program.command('completion').description('shell completion');
	addScript(completion, 'bash', io);
	addScript(completion, 'zsh', io);
	addScript(completion, 'fish', io);
	completion
		.command('words', { hidden: true })
		.argument('[words...]')
		.action((words: string[]) => printWords(program, words, io));
}

function withoutMeaning(word: string): Candidate {
	return { word, meaning: '' };
}

function commandAt(program: Command, words: readonly string[]) {
	let command = program;
	for (const word of words) {
		command = command.commands.find((child) => child.name() === word) ?? command;
	}
	return command;
}

function optionsOf(command: Command) {
	return command
		.createHelp()
		.visibleOptions(command)
		.map(({ long, description }) => ({ word: long ?? '', meaning: description }));
}

function valuesOf(command: Command, option: string | undefined) {
	const found = command.options.find(({ long }) => option !== undefined && long === option);
	return found?.required ? (found.argChoices ?? []).map(withoutMeaning) : undefined;
}

function wordsOf(command: Command) {
	return [
		...command
			.createHelp()
			.visibleCommands(command)
			.map((child) => ({ word: child.name(), meaning: child.description() })),
		...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map(withoutMeaning)),
	];
}

/** The words that may come next; the last word is the one being typed. */
function candidates(program: Command, words: readonly string[]): Candidate[] {
	const typed = words.at(-1) ?? '';
	const command = commandAt(program, words.slice(0, -1));
	const all =
		valuesOf(command, words.at(-2)) ??
		(typed.startsWith('-') ? optionsOf(command) : wordsOf(command));
	return all.filter(({ word }) => word.startsWith(typed));
}

function printWords(program: Command, words: readonly string[], io: Io) {
	const lines = candidates(program, words).map(({ word, meaning }) => `${word}\t${meaning}\n`);
	io.stdout.write(lines.join(''));
}

function addScript(completion: Command, shell: keyof typeof completionScripts, io: Io) {
	const script = completionScripts[shell];
	addCommand(completion, shell)
		.description(`print the script for ${shell}`)
		.addHelpText('after', examples(installs[shell]))
		.action((options: OutputOptions) => {
			if (options.json) return printJson({ script }, io);
			io.stdout.write(script);
		});
}
