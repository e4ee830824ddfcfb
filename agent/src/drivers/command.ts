// A real board: tools flash it and switch it, and a serial port or a TCP port is its console.
import { access, constants, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type FirmwareFormat, type FlashMemory, hexadecimal } from 'board-access-contract/firmware';
import type { BoardConsole } from '../consoles/console.ts';
import { messageOf } from '../printable.ts';
import { wait } from '../time.ts';
import { convertFirmware } from './convert.ts';
import {
	type BoardAction,
	type BoardWork,
	type ConsoleOutput,
	type Hardware,
	notice,
} from './hardware.ts';
import { fillIn } from './placeholders.ts';
import type { BoardCommands } from './presets.ts';
import { runCommand } from './run-command.ts';

export interface CommandSettings {
	readonly commands: BoardCommands;
	readonly formats: readonly FirmwareFormat[];
	readonly flash: FlashMemory;
	/** Values of the placeholders. */
	readonly values: Readonly<Record<string, string>>;
	/** In milliseconds. */
	readonly timeouts: Readonly<Record<CommandName, number>>;
	/** Time without power in a power cycle, in milliseconds. */
	readonly powerPause: number;
	readonly console: BoardConsole | undefined;
	/** Whether the console is closed while a tool runs. */
	readonly exclusive: boolean;
}

/** How long bytes take from a board that has stopped, through adapters and networks, at most. */
const settleTime = 50;

type CommandName = 'flash' | 'erase' | 'reset' | 'power_on' | 'power_off';

const extensions: Record<FirmwareFormat, string> = {
	hex: 'hex',
	uf2: 'uf2',
	elf: 'elf',
	raw: 'bin',
};

export function createCommandBoard(settings: CommandSettings): Hardware {
	const { console: boardConsole, commands } = settings;
	const power = commands.power_on !== undefined && commands.power_off !== undefined;
	let output: ConsoleOutput = () => {};
	let opened = false;

	const openConsole = () => {
		if (opened) boardConsole?.open(consoleEvents((bytes) => output(bytes)));
	};
	/** A console begins with what comes after it was opened, so nothing of before is left in it. */
	const performWithoutConsole = async (work: BoardWork, context: Context) => {
		await boardConsole?.close();
		try {
			return await carryOut(settings, work, { ...context, outputBegins: () => {} });
		} finally {
			context.outputBegins();
			openConsole();
		}
	};

	return {
		actions: supportedActions(commands),
		hasConsole: boardConsole !== undefined,
		memory: settings.flash,
		async open(consoleOutput) {
			output = consoleOutput;
			opened = true;
			if (power) await run(settings, 'power_on', AbortSignal.timeout(settings.timeouts.power_on));
			openConsole();
		},
		perform(work, signal, outputBegins = () => {}) {
			const context = { signal, outputBegins };
			if (boardConsole === undefined) return carryOut(settings, work, context);
			if (settings.exclusive) return performWithoutConsole(work, context);
			return performBesideConsole(settings, work, context);
		},
		async write(bytes) {
			await boardConsole?.write(bytes);
		},
		async close() {
			opened = false;
			output = () => {};
			await boardConsole?.close();
			if (power) await run(settings, 'power_off', AbortSignal.timeout(settings.timeouts.power_off));
		},
		check: () => check(settings),
	};
}

function supportedActions(commands: BoardCommands): BoardAction[] {
	const names = ['flash', 'erase', 'reset', 'power_on', 'power_off'] as const;
	const actions: BoardAction[] = names.filter((name) => commands[name] !== undefined);
	return commands.power_on && commands.power_off ? [...actions, 'power_cycle'] : actions;
}

function consoleEvents(output: ConsoleOutput) {
	let lost = false;
	return {
		output,
		lost(reason: string) {
			lost = true;
			output(notice(`the console is not connected: ${reason}`));
		},
		connected() {
			if (lost) output(notice('the console is connected'));
			lost = false;
		},
	};
}

interface Context {
	readonly signal: AbortSignal;
	outputBegins(): void;
}

/**
 * While a flash tool runs, nobody can tell which firmware prints. So the output of the new firmware
 * begins when the tool has ended, and then the board is restarted to show it from its start.
 */
async function performBesideConsole(settings: CommandSettings, work: BoardWork, context: Context) {
	const message = await carryOut(settings, work, context);
	const restart = work.action === 'flash' ? restartOf(settings) : undefined;
	if (restart === undefined) return message;
	try {
		await carryOut(settings, { action: restart }, { ...context, outputBegins: () => {} });
		return message;
	} catch (error) {
		const reason = `The board did not restart after the flash: ${messageOf(error)}`;
		return [message, reason].filter(Boolean).join('\n');
	}
}

function restartOf({ commands }: CommandSettings) {
	const actions = supportedActions(commands);
	return (['reset', 'power_cycle'] as const).find((action) => actions.includes(action));
}

async function carryOut(
	settings: CommandSettings,
	work: BoardWork,
	{ signal, outputBegins }: Context,
): Promise<string> {
	const { action } = work;
	if (action === 'power_cycle') {
		await run(settings, 'power_off', signal);
		await pause(Math.max(settings.powerPause, settleTime), signal);
		outputBegins();
		return run(settings, 'power_on', signal);
	}
	if (action === 'reset' || action === 'power_on') {
		outputBegins();
		return run(settings, action, signal);
	}
	const message =
		action === 'flash' ? await flash(settings, work, signal) : await run(settings, action, signal);
	await pause(settleTime, signal);
	outputBegins();
	return message;
}

/** Ends early when the signal is aborted. What has arrived by the end has been read. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
	await wait(milliseconds, signal).catch(() => {});
	await new Promise((resolve) => setImmediate(resolve));
}

/** The agent chooses the name of the user's file, in a folder that only the agent can read. */
async function flash(
	settings: CommandSettings,
	{ file, offset }: BoardWork & { action: 'flash' },
	signal: AbortSignal,
): Promise<string> {
	const converted = convertFirmware(file, { ...settings, offset });
	const folder = await mkdtemp(join(tmpdir(), 'board-access-agent-'));
	try {
		const path = join(folder, `firmware.${extensions[converted.format]}`);
		await writeFile(path, converted.bytes, { mode: 0o600 });
		const { commands, flash: memory } = settings;
		const command =
			converted.format === 'raw' ? (commands.flash_raw ?? commands.flash) : commands.flash;
		const values = {
			...settings.values,
			file: path,
			format: converted.format === 'raw' ? 'bin' : converted.format,
			offset: hexadecimal(converted.offset),
			address: hexadecimal(memory.start + converted.offset),
		};
		const options = { folder, timeout: settings.timeouts.flash, signal };
		return await runCommand(fillIn(command ?? [], values), options);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function run(settings: CommandSettings, name: CommandName, signal: AbortSignal) {
	const command = settings.commands[name];
	if (command === undefined) throw new Error(`This board has no command for ${name}`);
	const options = { folder: tmpdir(), timeout: settings.timeouts[name], signal };
	return runCommand(fillIn(command, settings.values), options);
}

/** Whether the tools are installed and the console opens. The board itself is not used. */
async function check({ commands, console: boardConsole }: CommandSettings): Promise<string> {
	const tools = new Set(Object.values(commands).flatMap((command) => command?.[0] ?? []));
	const results = await Promise.allSettled([
		...[...tools].map(findTool),
		...(boardConsole ? [boardConsole.check()] : []),
	]);
	const failed = results.filter((result) => result.status === 'rejected');
	if (failed.length > 0) throw new Error(failed.map(({ reason }) => messageOf(reason)).join('; '));
	return results
		.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
		.join('; ');
}

async function findTool(tool: string): Promise<string> {
	const folders = tool.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
	for (const folder of folders) {
		const path = folder === '' ? tool : join(folder, tool);
		const found = await access(path, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (found) return `${tool} is installed`;
	}
	throw new Error(`${tool} is not installed`);
}
