// How a command is added, and the options that commands share.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readDuration } from '../ci/duration.ts';
import { nearest } from '../contract/index.ts';

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

const offline = new WeakSet<Command>();

export function addCommand(
	parent: Command,
	name: string,
	description: string,
	examples: readonly string[],
) {
	const lines = examples.map((line) => `  $ ${line}`).join('\n');
	const command = parent.command(name).description(description);
	return command.addHelpText('after', `\nExamples:\n${lines}`);
}

/** Adds a command that sends no request. */
export function addOfflineCommand(...given: Parameters<typeof addCommand>) {
	const command = addCommand(...given);
	offline.add(command);
	return command;
}

/** Adds the shared options to each command, and to groups, so that they may precede the command. */
export function addSharedOptions(command: Command) {
	const isGroup = command.commands.length > 0;
	const taken = new Set(command.options.map(({ long }) => long));
	if (!isGroup) command.optionsGroup('Shared options:').helpOption('-h, --help', 'show help');
	for (const option of [...outputOptions(), ...(offline.has(command) ? [] : serviceOptions())]) {
		if (!taken.has(option.long)) command.addOption(option.hideHelp(isGroup));
	}
	command.commands.forEach(addSharedOptions);
}

function outputOptions() {
	return [
		new Option('--json', 'print JSON'),
		new Option('--debug', 'also print requests and stack traces, without secrets'),
		new Option('--no-color', 'print without colors, like NO_COLOR'),
	];
}

function serviceOptions() {
	const limit = 'time limit of a request, for example 10s; seconds without a unit';
	const keyFile = 'file with the API key, - for standard input (SERVICE_API_KEY)';
	return [
		new Option('--base-url <url>', 'address of the service (SERVICE_BASE_URL)'),
		new Option('--api-key-file <file>', keyFile),
		new Option('--service <name>', 'use the login saved under this name'),
		new Option('--timeout <duration>', limit).argParser(duration),
		new Option('--allow-insecure-http', 'allow plain http to another machine'),
	];
}

/** Copies the shared options that precede the command to the command. Its own options win. */
export function inheritOptions(command: Command) {
	for (let group = command.parent; group !== null; group = group.parent) {
		for (const option of group.options) {
			const name = option.attributeName();
			const target = command.options.find(({ long }) => long === option.long);
			const isGiven = group.getOptionValueSource(name) === 'cli';
			// `api --json <body>` is another option of the same name.
			if (!isGiven || target?.required !== option.required) continue;
			if (command.getOptionValueSource(name) === 'cli') continue;
			command.setOptionValueWithSource(name, group.getOptionValue(name), 'cli');
		}
	}
}

export function waitOption() {
	return new Option('--wait <duration>', 'how long to wait for a board, for example 10m')
		.argParser(argument(readDuration))
		.default(0, 'do not wait');
}

/** An option that suggests these values, and accepts others that the service may have. */
export function openChoice(flags: string, description: string, values: readonly string[]) {
	return new Option(flags, description).choices(values).argParser(openValue(values));
}

export function openValue(values: readonly string[]) {
	return (text: string) => {
		const meant = probably(text, values);
		if (meant === undefined || meant === text) return text;
		throw new InvalidArgumentError(`Did you mean ${meant}?`);
	};
}

/** The word that was probably meant: a similar one, or the only one that begins with this text. */
export function probably(text: string, known: readonly string[]) {
	const [longer, ...others] = known.filter((each) => each.startsWith(text));
	return nearest(text, known) ?? (others.length === 0 ? longer : undefined);
}

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

/** Reports what the reader throws as an error of the user. */
export function argument<Value>(read: (text: string) => Value) {
	return (text: string) => {
		try {
			return read(text);
		} catch (error) {
			throw new InvalidArgumentError((error as Error).message); // the readers throw nothing else
		}
	};
}

/** Reads an option that may be repeated. */
export function repeatedly<Value>(read: (text: string) => Value) {
	return (text: string, earlier: readonly Value[] = []) => [...earlier, argument(read)(text)];
}
