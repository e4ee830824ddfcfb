// The options that commands share, and how a command is begun.
import { type Command, InvalidArgumentError } from 'commander';

export interface OutputOptions {
	json?: true;
	debug?: true;
	/** False with `--no-color`. */
	color: boolean;
}

export interface ServiceOptions extends OutputOptions {
	baseUrl?: string;
	apiKeyFile?: string;
	allowInsecureHttp?: true;
}

const own = 'Options:';
const shared = 'Shared options:';

/** Begins a command that works offline. `json` says what the option is called where it differs. */
export function addCommand(
	parent: Command,
	name: string,
	json: readonly [flag: string, meaning: string] = ['--json', 'print JSON'],
) {
	return parent
		.command(name)
		.optionsGroup(json[0] === '--json' ? shared : own)
		.option(...json)
		.optionsGroup(shared)
		.option('--debug', 'also print requests and stack traces, without secrets')
		.option('--no-color', 'print without colours (as does NO_COLOR)')
		.optionsGroup(own);
}

/** Begins a command that calls the service. */
export function addServiceCommand(...begin: Parameters<typeof addCommand>) {
	return addCommand(...begin)
		.optionsGroup(shared)
		.option('--base-url <url>', 'the address of the service (SERVICE_BASE_URL)')
		.option(
			'--api-key-file <file>',
			'a file with the API key, - for standard input (SERVICE_API_KEY)',
		)
		.option('--allow-insecure-http', 'allow plain http to another machine')
		.optionsGroup(own);
}

/** Help text with examples, for `addHelpText`. */
export function examples(...lines: readonly string[]) {
	return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Reads the value of an option that is a whole number. */
export function wholeNumber(text: string) {
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new InvalidArgumentError('It must be a whole number.');
}
