// The configuration: one file, validated as a whole. Every error names the invalid setting.
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import {
	agentTokenPattern,
	betweenLeases,
	firmwareFormats,
	isLoopback,
	maxBoards,
	portNamePattern,
} from 'board-access-contract';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { lineResets } from './consoles/line.ts';
import { nameOf, type PortPath, textOf } from './consoles/usb.ts';
import type { DebugServer } from './drivers/debug/server.ts';
import {
	type BoardCommands,
	commandNames,
	needsBlank,
	type Preset,
	type PresetName,
	placeholders,
	placeholdersIn,
	presets,
} from './drivers/presets.ts';
import { emulators } from './emulators/boards.ts';
import { messageOf } from './errors.ts';

/** The configuration is invalid. The message has a line for each error, with its place. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

const text = z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(4096));

const command = z
	.array(z.string())
	.check(z.refine((parts) => Boolean(parts[0]), 'must begin with the name of a tool'));

const seconds = z.number().check(z.gt(0), z.maximum(3600));

const notAddress = 'must be a number, like 0x8000';
const address = z.pipe(
	z.union([z.int(), z.string().check(z.regex(/^0x[0-9a-f]{1,8}$/i, notAddress))], notAddress),
	z.pipe(
		z.transform(Number),
		z.number().check(z.minimum(0), z.maximum(0xffff_ffff, 'is too large')),
	),
);

const exclusive = z.optional(
	z.boolean(
		'must be true, if the flash tool needs the port of the console, or false, if the console can stay open',
	),
);

const notUsb = `must be a path, or { vendor_id: '2341', product_id: '0043', serial_number: '…', usb_port: '1-1.4', interface: '00' } or some of these, in quotes`;
const usbKeys = ['vendor_id', 'product_id', 'serial_number', 'usb_port', 'interface'] as const;
const usbPort = z.partialRecord(z.enum(usbKeys), text);

const serialPort = z.strictObject({
	type: z.literal('serial'),
	path: z.union([text, usbPort], notUsb),
	baud: z._default(z.int().check(z.minimum(50), z.maximum(4_000_000)), 115_200),
	dtr: z.optional(z.boolean()),
	rts: z.optional(z.boolean()),
	reset: z.optional(z.enum(lineResets)),
});

const serialConsole = z.extend(serialPort, { exclusive });

const notPortName =
	'must be at most 20 lower-case letters, digits and hyphens, and begin with a letter';
const portName = z.string().check(z.regex(portNamePattern, notPortName));

const tcpConsole = z.strictObject({
	type: z.literal('tcp'),
	host: z._default(text, 'localhost'),
	port: z.int().check(z.minimum(1), z.maximum(65_535)),
	exclusive,
});

const emulatedBoard = z.strictObject({
	id: text,
	type: text,
	driver: z.literal('emulated'),
	emulator: z.optional(z.enum(emulators)),
	cpu_share: z._default(z.number().check(z.gt(0), z.maximum(1)), 0.5),
	boot_rom: z.optional(text),
});

const timeouts = z.strictObject({
	flash: z._default(seconds, 120),
	erase: z._default(seconds, 120),
	read_flash: z._default(seconds, 120),
	reset: z._default(seconds, 30),
	power_on: z._default(seconds, 30),
	power_off: z._default(seconds, 30),
});

const defaultDebugStart = 10;

const debugServer = z.strictObject({
	command: z.optional(command),
	start_timeout: z.optional(seconds),
});

const commandBoard = z.strictObject({
	id: text,
	type: text,
	driver: z.literal('command'),
	between_leases: z.enum(
		betweenLeases,
		'must be erase, power or keep: what the agent does with the firmware of a lease before the next one',
	),
	preset: z.optional(z.enum(Object.keys(presets) as PresetName[])), // they are its keys
	with: z._default(
		z.record(z.string(), z.union([z.string(), z.pipe(z.number(), z.transform(String)), usbPort])),
		{},
	),
	flash: z.optional(command),
	flash_raw: z.optional(command),
	erase: z.optional(command),
	read_flash: z.optional(command),
	reset: z.optional(command),
	power_on: z.optional(command),
	power_off: z.optional(command),
	formats: z.optional(z.array(z.enum(firmwareFormats)).check(z.minLength(1))),
	memory: z.optional(z.strictObject({ start: address, size: address })),
	timeouts: z.prefault(timeouts, {}),
	power_pause: z._default(z.number().check(z.minimum(0), z.maximum(60)), 1),
	console: z.optional(z.discriminatedUnion('type', [serialConsole, tcpConsole])),
	ports: z.optional(z.record(portName, serialPort)),
	debug: z.optional(debugServer),
});

const config = z.strictObject({
	service: z.string().check(
		z.refine(
			(address) => /^https?:\/\/[^\s?#@]+$/i.test(address) && URL.canParse(address),
			'must be an http or https address',
		),
		z.refine((address) => !/\/v1\/?$/.test(address), 'must not end in /v1'),
	),
	allow_insecure_http: z._default(z.boolean(), false),
	token: z.optional(z.string().check(z.regex(agentTokenPattern, 'must be agt_ and 48 hex digits'))),
	token_file: z.optional(text),
	state_file: z.optional(text),
	drain_timeout: z._default(z.number().check(z.minimum(0), z.maximum(86_400)), 45),
	boards: z
		.array(z.discriminatedUnion('driver', [emulatedBoard, commandBoard]))
		.check(z.minLength(1, 'must have at least one board'), maxBoards),
});

export type AgentConfig = z.input<typeof config>;

/** The configuration with every default filled in. */
export type CheckedConfig = z.output<typeof config>;

export type BoardConfig = CheckedConfig['boards'][number];
export type CommandBoardConfig = BoardConfig & { driver: 'command' };

interface Problem {
	readonly path: readonly PropertyKey[];
	readonly message: string;
}

/** Reads a YAML or JSON file. Paths in it are relative to its folder. */
export async function readConfig(
	file: string,
	environment: NodeJS.ProcessEnv = process.env,
): Promise<CheckedConfig> {
	const checked = await readSettings(file, environment);
	return { ...checked, token: checked.token ?? (await findToken(checked, environment)) };
}

/** The same without the token, unless the file itself contains it. */
export async function readSettings(file: string, environment: NodeJS.ProcessEnv = process.env) {
	const checked = checkConfig(await parseFile(file));
	const inFolder = (path: string) => resolve(dirname(file), path);
	const stateFolder = environment.STATE_DIRECTORY ?? dirname(file);
	return {
		...checked,
		token_file: checked.token_file && inFolder(checked.token_file),
		state_file: checked.state_file
			? inFolder(checked.state_file)
			: resolve(stateFolder, 'board-access-agent.state.json'),
		boards: checked.boards.map((board) =>
			board.driver === 'emulated' && board.boot_rom
				? { ...board, boot_rom: inFolder(board.boot_rom) }
				: board,
		),
	};
}

/** Validates a configuration and fills in the defaults. */
export function checkConfig(input: unknown): CheckedConfig {
	const result = config.safeParse(input, { error: z.locales.en().localeError });
	if (!result.success) throw configError(result.error.issues.flatMap(innerIssues));
	const problems = [...problemsOf(result.data)];
	if (problems.length > 0) throw configError(problems);
	return result.data;
}

export function presetOf({ preset }: Pick<CommandBoardConfig, 'preset'>): Preset | undefined {
	return preset && presets[preset];
}

export function commandsOf(board: CommandBoardConfig): BoardCommands {
	const preset = presetOf(board);
	const inherited = {
		...preset,
		...(board.flash && { flash_raw: undefined }),
		// Another erase command may keep the boot loader, for example, so the flash is not read back.
		...((board.erase || board.between_leases !== 'erase') && { read_flash: undefined }),
	};
	return Object.fromEntries(commandNames.map((name) => [name, board[name] ?? inherited[name]]));
}

export function valuesOf(board: CommandBoardConfig): Record<string, PortPath> {
	const { console } = board;
	const port = console?.type === 'serial' && { port: console.path };
	return { ...presetOf(board)?.defaults, ...port, ...board.with };
}

/** That of a preset is left out if its placeholders have no values. */
export function debugServerOf(board: CommandBoardConfig): DebugServer | undefined {
	const { command = [], start_timeout: startTimeout = defaultDebugStart } = board.debug ?? {};
	if (command.length > 0) return { command, startTimeout };
	const inherited = presetOf(board)?.debug ?? [];
	const isUsable = inherited.length > 0 && unknownIn(inherited, board).length === 0;
	return isUsable ? { command: inherited, startTimeout } : undefined;
}

function unknownIn(command: readonly string[], board: CommandBoardConfig) {
	const known = [...Object.keys(valuesOf(board)), 'port'];
	return command.flatMap(placeholdersIn).filter((name) => !known.includes(name));
}

export function emulatorOf({ emulator, type }: BoardConfig & { driver: 'emulated' }) {
	return emulators.find((name) => name === (emulator ?? type));
}

export async function parseFile(file: string): Promise<unknown> {
	try {
		return parse(await readFile(file, 'utf8'));
	} catch (cause) {
		throw new ConfigError(`${file}: ${messageOf(cause)}`, { cause });
	}
}

async function findToken(
	{ token_file: file }: CheckedConfig,
	environment: NodeJS.ProcessEnv,
): Promise<string> {
	const source = file ? 'token_file' : 'BOARD_ACCESS_AGENT_TOKEN';
	const token = file
		? (await readFile(file, 'utf8').catch(unreadable)).trim()
		: environment.BOARD_ACCESS_AGENT_TOKEN;
	if (token === undefined) throw new ConfigError(`token_file, token or ${source} is required`);
	if (!agentTokenPattern.test(token)) {
		throw new ConfigError(`${source}: must be agt_ and 48 hex digits`);
	}
	return token;
}

function unreadable(cause: Error): never {
	throw new ConfigError(`token_file: ${cause.message}`, { cause });
}

function configError(problems: readonly Problem[]): ConfigError {
	const lines = problems.map(({ path, message }) =>
		path.length > 0 ? `${z.core.toDotPath(path)}: ${message}` : message,
	);
	// Several commands may lack the same placeholder.
	return new ConfigError([...new Set(lines)].join('\n'));
}

function innerIssues(issue: z.core.$ZodIssue): Problem[] {
	if (issue.code === 'invalid_key') {
		return issue.issues.map(({ message }) => ({ path: issue.path, message }));
	}
	if (issue.code !== 'unrecognized_keys') return [issue];
	return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is not a setting' }));
}

/** What the schema cannot check. */
function* problemsOf(config: CheckedConfig): Generator<Problem> {
	const { service, allow_insecure_http: allowed, boards } = config;
	const { protocol, hostname } = new URL(service);
	// Others on the network could read the token and the firmware.
	if (!allowed && protocol !== 'https:' && !isLoopback(hostname)) {
		const message = 'must be https, or set allow_insecure_http: true on a network that you trust';
		yield { path: ['service'], message };
	}
	for (const [index, board] of boards.entries()) {
		if (board.driver === 'emulated' && !emulatorOf(board)) {
			const message = `is required, as '${board.type}' is not ${emulators.join(' or ')}`;
			yield { path: ['boards', index, 'emulator'], message };
		}
		for (const problem of board.driver === 'command' ? commandProblems(board) : []) {
			yield { ...problem, path: ['boards', index, ...problem.path] };
		}
		const first = boards.findIndex(({ id }) => id === board.id);
		if (first < index) {
			yield { path: ['boards', index, 'id'], message: `is the id of boards[${first}] too` };
		}
	}
	yield* sharedPorts(boards);
}

/** Two boards on one port would each be judged by the output of the other. */
export function* sharedPorts(boards: readonly BoardConfig[]): Generator<Problem> {
	const owners = new Map<string, BoardConfig>();
	for (const [index, board] of boards.entries()) {
		for (const { path, port } of board.driver === 'command' ? portsOf(board) : []) {
			const name = nameOf(port);
			const owner = owners.get(name) ?? board;
			owners.set(name, owner);
			if (owner === board) continue;
			const message = `${textOf(port)} is a port of board ${owner.id} too, so ${board.id} needs another`;
			yield { path: ['boards', index, ...path], message };
		}
	}
}

export function usesPort({ boards }: CheckedConfig, path: string): boolean {
	const used = boards.flatMap((board) => (board.driver === 'command' ? [...portsOf(board)] : []));
	return used.some(({ port }) => nameOf(port) === nameOf(path));
}

function* portsOf({ console, ports, with: { port = '' } }: CommandBoardConfig) {
	if (console?.type === 'tcp') {
		yield { path: ['console', 'port'], port: `${console.host}:${console.port}` };
	}
	if (console?.type === 'serial') yield { path: ['console', 'path'], port: console.path };
	for (const [name, { path }] of Object.entries(ports ?? {})) {
		yield { path: ['ports', name, 'path'], port: path };
	}
	if (typeof port !== 'string' || isAbsolute(port)) yield { path: ['with', 'port'], port };
}

function* commandProblems(board: CommandBoardConfig): Generator<Problem> {
	const commands = commandsOf(board);
	const { between_leases: between, memory } = board;
	for (const name of needed[between]) {
		if (commands[name]) continue;
		yield { path: [name], message: `is required for between_leases: ${between}` };
	}
	if (!memory && (commands.read_flash || needsBlank(commands))) {
		yield { path: ['memory'], message: 'is required, as erase or read_flash needs its size' };
	}
	for (const name of commandNames) yield* placeholderProblems(board, name);
	yield* debugProblems(board);
}

function* debugProblems(board: CommandBoardConfig): Generator<Problem> {
	const path = ['debug', 'command'];
	const command = board.debug?.command;
	if (board.debug && !debugServerOf(board)) yield { path, message: 'is required' };
	for (const name of command ? unknownIn(command, board) : []) {
		yield { path, message: `{${name}} is not a placeholder here, and is not in 'with'` };
	}
	if (command && !command.flatMap(placeholdersIn).includes('port')) {
		yield { path, message: 'must contain {port}, which the server has to listen on' };
	}
}

/** The commands that `between_leases` uses. */
const needed = { erase: ['erase'], power: ['power_off', 'power_on'], keep: [] } as const;

/** A misspelled placeholder would reach the tool unchanged. */
function* placeholderProblems(
	board: CommandBoardConfig,
	name: keyof BoardCommands,
): Generator<Problem> {
	const known = [...Object.keys(valuesOf(board)), ...(placeholders[name] ?? [])];
	for (const [position, part] of commandsOf(board)[name]?.entries() ?? []) {
		for (const key of placeholdersIn(part).filter((key) => !known.includes(key))) {
			const unknown = `{${key}} is not a placeholder here, and is not in 'with'`;
			yield name in board
				? { path: [name, position], message: unknown }
				: { path: ['with', key], message: `is required by the preset ${board.preset}` };
		}
	}
}
