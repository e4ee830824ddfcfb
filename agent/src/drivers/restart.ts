// Restarts a board while its console is open, so that the console shows the first output of its firmware.
import { addressOf, nameOf } from '../consoles/usb.ts';
import { messageOf } from '../errors.ts';
import { type CommandSettings, type Context, carryOut, pause, settleTime } from './carry-out.ts';
import type { BoardAction } from './hardware.ts';
import { type BoardCommands, fillIn } from './presets.ts';

/** How long the control lines hold a board in reset, in milliseconds. */
const pulseTime = 100;

type Restart = 'reset' | 'power_cycle' | 'pulse';

/** Undefined if the board cannot restart while its console is open. */
export function restartOf(settings: CommandSettings): Restart | undefined {
	const { commands, pulse, console: boardConsole } = settings;
	if (commands.reset && !needsPort('reset', settings)) return 'reset';
	if (pulse && boardConsole) return 'pulse';
	const hasPower = commands.power_on && commands.power_off;
	return hasPower && !needsPort('power_cycle', settings) ? 'power_cycle' : undefined;
}

export async function restartBy(
	restart: Restart,
	settings: CommandSettings,
	context: Context,
): Promise<string> {
	if (restart !== 'pulse') return carryOut(settings, { action: restart }, context);
	const { console: boardConsole, pulse } = settings;
	await settings.permit();
	context.signal.throwIfAborted();
	await boardConsole?.setLines(pulse?.hold ?? {});
	await pause(pulseTime, context.signal);
	context.outputBegins();
	await boardConsole?.setLines(pulse?.release ?? {});
	return '';
}

/** Restarts the board after a flash, so that no output of the new firmware is missed. Returns why that failed. */
export async function showStart(
	restart: Restart,
	settings: CommandSettings,
	context: Context,
): Promise<string> {
	await settings.console?.connected().catch(() => {}); // the console reports why
	await pause(settleTime, context.signal);
	try {
		await restartBy(restart, settings, context);
		return '';
	} catch (error) {
		context.outputBegins();
		return `The board did not restart after the flash: ${messageOf(error)}`;
	}
}

/** Whether the console must be closed while the tools for the action run. */
export function needsPort(action: BoardAction, settings: CommandSettings): boolean {
	const { commands, values, exclusive, console: boardConsole } = settings;
	if (boardConsole === undefined || exclusive === false) return false;
	if (exclusive && (action === 'flash' || action === 'erase')) return true;
	const words = namesOf(action)
		.flatMap((name) => fillIn(commands[name] ?? [], values, addressOf))
		.flatMap((argument) => [argument, ...argument.split(/[\s=,;]+/)]);
	return words.map(nameOf).includes(nameOf(boardConsole.address));
}

function namesOf(action: BoardAction): (keyof BoardCommands)[] {
	if (action === 'flash') return ['flash', 'flash_raw'];
	return action === 'power_cycle' ? ['power_off', 'power_on'] : [action];
}
