// `board-access completion`: scripts for the shells, and the words that they offer.
import type { Command } from 'commander';
import { addOfflineCommand, type OutputOptions } from './options.ts';
import type { Io } from './terminal/io.ts';
import { printJson } from './terminal/output.ts';

const installs = {
	bash: 'echo "source <(board-access completion bash)" >> ~/.bashrc',
	zsh: 'echo "source <(board-access completion zsh)" >> ~/.zshrc   # after compinit',
	fish: 'board-access completion fish > ~/.config/fish/completions/board-access.fish',
} as const;

export function addCompletion(program: Command, io: Io) {
	const completion = program.command('completion').description('shell completion');
	for (const shell of ['bash', 'zsh', 'fish'] as const) {
		const script = completionScripts[shell];
		addOfflineCommand(completion, shell, `print the script for ${shell}`, [installs[shell]]).action(
			({ json }: OutputOptions) =>
				json ? printJson({ script }, io) : void io.stdout.write(script),
		);
	}
	completion
		.command('words', { hidden: true })
		.argument('[words...]')
		.action((words: string[]) => void io.stdout.write(candidates(program, words).join('')));
}

/** The words that may come next, with their meanings. The last word is the one being typed. */
function candidates(program: Command, words: readonly string[]) {
	const typed = words.at(-1) ?? '';
	let command = program;
	for (const word of words.slice(0, -1)) {
		command = command.commands.find((child) => child.name() === word) ?? command;
	}
	const all =
		valuesOf(command, words.at(-2)) ??
		(typed.startsWith('-') ? optionsOf(command) : wordsOf(command));
	return all
		.filter(([word]) => word.startsWith(typed))
		.map(([word, meaning = '']) => `${word}\t${meaning}\n`);
}

type Candidate = readonly [word: string, meaning?: string];

function valuesOf(command: Command, option: string | undefined): Candidate[] | undefined {
	const found = command.options.find(({ long }) => option !== undefined && long === option);
	return found?.required ? (found.argChoices ?? []).map((word) => [word]) : undefined;
}

function optionsOf(command: Command): Candidate[] {
	const options = command.createHelp().visibleOptions(command);
	return options.map(({ long, description }) => [long ?? '', description]);
}

function wordsOf(command: Command): Candidate[] {
	const children = command.createHelp().visibleCommands(command);
	const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
	return [
		...children.map((child) => [child.name(), child.description()] as const),
		...choices.map((word) => [word] as const),
	];
}

const completionScripts = {
	bash: `_board_access() {
  local IFS=$'\\n'
  COMPREPLY=($(board-access completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _board_access board-access
`,
	zsh: `#compdef board-access
_board_access() {
  local line found=()
  for line in "\${(@f)$(board-access completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${line/$'\\t'/:}")
  done
  if (( $#found )); then _describe board-access found; else _files; fi
}
compdef _board_access board-access
`,
	fish: `function __board_access
  set -l words (commandline -opc) (commandline -ct)
  board-access completion words -- $words[2..-1] 2>/dev/null
end
complete -c board-access -f -a '(__board_access)'
complete -c board-access -n 'test (count (__board_access)) -eq 0' -F
`,
} as const;
