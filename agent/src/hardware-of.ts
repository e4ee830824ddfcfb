// Creates the hardware of a board from its configuration.
import {
	type BoardConfig,
	type CommandBoardConfig,
	commandsOf,
	debugServerOf,
	emulatorOf,
	presetOf,
	valuesOf,
} from './config.ts';
import { boardPort } from './consoles/board-port.ts';
import type { Connect } from './consoles/reconnecting.ts';
import { createSerialConsole, openSerialPort } from './consoles/serial.ts';
import { createTcpConsole } from './consoles/tcp.ts';
import { textOf } from './consoles/usb.ts';
import { createCommandBoard } from './drivers/command.ts';
import { createEmulatedBoard } from './drivers/emulated.ts';
import type { Hardware } from './drivers/hardware.ts';
import { markOf } from './drivers/survivors.ts';
import type { Permit } from './link/contact.ts';

/** The path of the state file identifies the tools of an agent that was restarted. */
export function hardwareOf(
	board: BoardConfig,
	stateFile: string | undefined,
	permit: Permit = async () => {},
): Hardware {
	if (board.driver === 'emulated') {
		const emulator = emulatorOf(board);
		if (emulator === undefined) throw new Error(`No emulator for ${board.type}`);
		return createEmulatedBoard({ emulator, cpuShare: board.cpu_share, bootRom: board.boot_rom });
	}
	const preset = presetOf(board);
	const memory = board.memory ?? { start: preset?.flashStart ?? 0, size: 0xffff_ffff };
	const presetFormats = board.flash ? undefined : preset?.formats;
	return createCommandBoard({
		...board,
		commands: commandsOf(board),
		debug: debugServerOf(board),
		formats: board.formats ?? presetFormats ?? ['hex', 'uf2', 'elf', 'raw'],
		flash: { ...memory, machine: preset?.machine },
		values: valuesOf(board),
		console: consoleOf(board),
		ports: portsOf(board, permit),
		exclusive: board.console?.exclusive ?? preset?.usesConsolePort,
		pulse: board.console?.type === 'serial' ? preset?.pulse : undefined,
		mark: markOf(stateFile, board.id),
		permit,
	});
}

function consoleOf(board: CommandBoardConfig) {
	const { console } = board;
	if (console?.type === 'tcp') return createTcpConsole(console);
	const reset = console?.reset ?? presetOf(board)?.lineReset;
	return console && createSerialConsole({ ...console, reset });
}

function portsOf({ ports }: CommandBoardConfig, permit: Permit) {
	const named = Object.entries(ports ?? {}).map(([name, settings]) => {
		const connect: Connect = (events) => openSerialPort(settings, events);
		return [name, boardPort(connect, textOf(settings.path), permit)] as const;
	});
	return new Map(named);
}
