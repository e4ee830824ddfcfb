// The options that commands share, and how a command starts.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readDuration } from '../ci/duration.ts';

export interface OutputOptions {
	json?: true;
	debug?: true;
	/** False with `--no-color`. */
	color: boolean;
}

export interface ServiceOptions extends OutputOptions {
	baseUrl?: string;
	apiKeyFile?: string;
	service?: string;
	/** Milliseconds. */
	timeout?: number;
	allowInsecureHttp?: true;
}

const own = 'Options:';
const shared = 'Shared options:';

function outputOptions() {
	return [
		new Option('--json', 'print JSON'),
		new Option('--debug', 'also print requests and stack traces, without secrets'),
		new Option('--no-color', 'print without colors, like NO_COLOR'),
	];
}

function serviceOptions() {
	return [
		new Option('--base-url <url>', 'address of the service (SERVICE_BASE_URL)'),
		new Option(
			'--api-key-file <file>',
			'file with the API key, - for standard input (SERVICE_API_KEY)',
		),
		new Option('--service <name>', 'use the login saved under this name'),
		new Option('--timeout <duration>', 'time limit of a request, for example 10s').argParser(
			duration,
		),
		new Option('--allow-insecure-http', 'allow plain http to another machine'),
	];
}

function addShared(command: Command, options: readonly Option[]) {
	command.optionsGroup(shared);
	const taken = new Set(command.options.map(({ long }) => long));
	for (const option of options) if (!taken.has(option.long)) command.addOption(option);
	return command.optionsGroup(own);
}

/** Adds a command that works offline. */
export function addCommand(
	parent: Command,
	name: string,
	description: string,
	examples: readonly string[],
) {
	const command = parent.command(name).description(description);
	return addShared(withExamples(command, examples), outputOptions());
}

/** Adds a command that sends requests. `replacements` are options that a shared one gives way to. */
export function addServiceCommand(
	parent: Command,
	name: string,
	description: string,
	examples: readonly string[],
	...replacements: readonly Option[]
) {
	const command = parent.command(name).description(description).optionsGroup(own);
	for (const option of replacements) command.addOption(option);
	return addShared(withExamples(command, examples), [...outputOptions(), ...serviceOptions()]);
}

function withExamples(command: Command, lines: readonly string[]) {
	return command.addHelpText(
		'after',
		`\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`,
	);
}

/** Makes a group of commands accept the shared options too, so that they may precede the command. */
export function acceptSharedOptions(group: Command) {
	for (const option of [...outputOptions(), ...serviceOptions()]) {
		group.addOption(option.hideHelp());
	}
}

/** Copies the shared options that precede the command to the command. Its own options win. */
export function inheritOptions(command: Command) {
	for (let group = command.parent; group !== null; group = group.parent) {
		for (const option of group.options) {
			const name = option.attributeName();
			if (group.getOptionValueSource(name) !== 'cli') continue;
			const target = command.options.find(({ long }) => long === option.long);
			// `api --json <body>` is another option of the same name.
			if (target?.required !== option.required) continue;
			if (command.getOptionValueSource(name) === 'cli') continue;
			command.setOptionValueWithSource(name, group.getOptionValue(name), 'cli');
		}
	}
}

/** How long a command waits in the queue. */
export function waitOption() {
	return new Option('--wait <duration>', 'how long to wait for a free board')
		.argParser(argument(readDuration))
		.default(0, 'do not wait');
}

/** Reads the value of an option that is a whole number. */
export function wholeNumber(text: string) {
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new InvalidArgumentError('Expected a whole number.');
}

/** Reads a duration such as `500ms`, `90s` or `2m`; a number alone is in seconds. */
export const duration = argument((text) => {
	const milliseconds = readDuration(text);
	if (milliseconds >= 1) return milliseconds;
	throw new Error('Expected a duration of at least 1ms.');
});

/** Reads the value of an option; what the reader throws is the user's error. */
export function argument<Value>(read: (text: string) => Value) {
	return (text: string) => {
		try {
			return read(text);
		} catch (error) {
			throw new InvalidArgumentError((error as Error).message); // the readers throw nothing else
		}
	};
}

/** Collects the values of an option that may be repeated. */
export function repeated(value: string, earlier: readonly string[] = []) {
	return [...earlier, value];
}

/** Reads the values of an option that may be repeated. */
export function repeatedly<Value>(read: (text: string) => Value) {
	return (text: string, earlier: readonly Value[]) => [...earlier, argument(read)(text)];
}
