// Runs the tools for an action.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FirmwareFormat, type FlashMemory, hexadecimal } from 'board-access-contract/firmware';
import type { CommandBoardConfig } from '../config.ts';
import type { BoardConsole } from '../consoles/reconnecting.ts';
import { addressOf, type PortPath } from '../consoles/usb.ts';
import { asAgent, BoardError, messageOf } from '../errors.ts';
import type { Permit } from '../link/contact.ts';
import { wait } from '../time.ts';
import { convertInThread } from './convert-in-thread.ts';
import type { DebugServer } from './debug/server.ts';
import type { BoardWork, Hardware } from './hardware.ts';
import { type BoardCommands, fillIn, type LinePulse, needsBlank } from './presets.ts';
import { runCommand } from './run-command.ts';
import { folderName } from './survivors.ts';

export interface CommandSettings
	extends Pick<CommandBoardConfig, 'between_leases' | 'power_pause' | 'timeouts'> {
	readonly commands: BoardCommands;
	readonly debug?: DebugServer | undefined;
	readonly formats: readonly FirmwareFormat[];
	readonly flash: FlashMemory;
	readonly values: Readonly<Record<string, PortPath>>;
	readonly console: BoardConsole | undefined;
	/** The other serial ports, by name. */
	readonly ports?: Hardware['ports'];
	/** Whether the flash tool needs the port of the console. Default: whether its command names it. */
	readonly exclusive: boolean | undefined;
	readonly pulse: LinePulse | undefined;
	readonly mark: string;
	/** Called before each use of the board. */
	readonly permit: Permit;
}

/** How long the last bytes of a board that has stopped may take to arrive, in milliseconds. */
export const settleTime = 50;

export interface Context {
	readonly signal: AbortSignal;
	outputBegins(): void;
	onProgress?(percent: number): void;
}

/** For a step whose own output does not count. */
export function quiet(context: Context): Context {
	return { ...context, outputBegins() {} };
}

export async function carryOut(
	settings: CommandSettings,
	work: BoardWork,
	context: Context,
): Promise<string> {
	const { action } = work;
	const { signal, outputBegins } = context;
	if (action === 'power_cycle') {
		await run(settings, 'power_off', { signal });
		await pause(Math.max(settings.power_pause * 1000, settleTime), signal);
		outputBegins();
		return run(settings, 'power_on', { signal });
	}
	if (action === 'reset' || action === 'power_on') {
		outputBegins();
		return run(settings, action, { signal });
	}
	const message =
		action === 'flash'
			? await flash(settings, work, context)
			: action === 'erase'
				? await eraseFlash(settings, signal)
				: await run(settings, action, { signal });
	await pause(settleTime, signal);
	outputBegins();
	return message;
}

/** Ends early when the signal is aborted. At the end, all that has arrived was read. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	await wait(milliseconds, signal).catch(() => {});
	await new Promise((resolve) => setImmediate(resolve));
}

async function flash(
	settings: CommandSettings,
	{ bytes, offset }: BoardWork & { action: 'flash' },
	{ signal, onProgress }: Context,
): Promise<string> {
	const { commands, formats, flash: memory } = settings;
	const converted = await convertInThread({ bytes, formats, flash: memory, offset }, signal);
	const isRaw = converted.format === 'raw';
	const format = isRaw ? 'bin' : converted.format;
	return inFolder(settings.mark, async (folder) => {
		const path = await store(converted.bytes, join(folder, `firmware.${format}`));
		const values = {
			file: path,
			format,
			offset: hexadecimal(converted.offset),
			address: hexadecimal(memory.start + converted.offset),
		};
		const name = isRaw && commands.flash_raw ? 'flash_raw' : 'flash';
		return run(settings, name, { signal, folder, values, onProgress });
	});
}

export async function eraseFlash(settings: CommandSettings, signal?: AbortSignal): Promise<string> {
	if (!needsBlank(settings.commands)) return run(settings, 'erase', { signal });
	return inFolder(settings.mark, async (folder) => {
		const bytes = Buffer.alloc(settings.flash.size, 0xff);
		const blank = await store(bytes, join(folder, 'blank.bin'));
		return run(settings, 'erase', { signal, folder, values: { blank } });
	});
}

const unwritable = 'The agent cannot write to its temporary folder';

/** Does work with a temporary folder that only the agent can read. */
export async function inFolder<Result>(mark: string, work: (folder: string) => Promise<Result>) {
	const folder = await asAgent(unwritable, () => mkdtemp(join(tmpdir(), folderName(mark))));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function store(bytes: Uint8Array, path: string): Promise<string> {
	await asAgent(unwritable, () => writeFile(path, bytes, { mode: 0o600 }));
	return path;
}

interface RunOptions {
	readonly signal?: AbortSignal | undefined;
	readonly folder?: string;
	/** The values of more placeholders. */
	readonly values?: Readonly<Record<string, string>>;
	readonly onProgress?: Context['onProgress'] | undefined;
}

export async function run(
	{ commands, timeouts, mark, permit, values: own }: CommandSettings,
	name: keyof BoardCommands,
	{
		signal = new AbortController().signal,
		folder = tmpdir(),
		values = {},
		onProgress,
	}: RunOptions = {},
) {
	const command = commands[name];
	if (command === undefined) throw new Error(`This board has no command for ${name}`);
	await permit();
	const seconds = timeouts[name === 'flash_raw' ? 'flash' : name];
	const options = { folder, timeout: seconds * 1000, signal, mark, onProgress };
	return runCommand(fillIn(command, { ...own, ...values }), options).catch((cause) => {
		const { port = '' } = own;
		// The adapter of the board is unplugged, whatever the tool says.
		const isPath = typeof port !== 'string' || port.startsWith('/');
		const isAway = isPath && !existsSync(addressOf(port));
		throw isAway ? new BoardError('no_device', messageOf(cause), { cause }) : cause;
	});
}
