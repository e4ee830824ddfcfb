// Creates the hardware of a board from its configuration.
import {
	type BoardConfig,
	type CommandBoardConfig,
	commandsOf,
	emulatorOf,
	presetOf,
	valuesOf,
} from './config.ts';
import { createSerialConsole } from './consoles/serial.ts';
import { createTcpConsole } from './consoles/tcp.ts';
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
		formats: board.formats ?? presetFormats ?? ['hex', 'uf2', 'elf', 'raw'],
		flash: { ...memory, machine: preset?.machine },
		values: valuesOf(board),
		console: consoleOf(board),
		exclusive: board.console?.exclusive ?? preset?.usesConsolePort,
		pulse: board.console?.type === 'serial' ? preset?.pulse : undefined,
		mark: markOf(stateFile, board.id),
		permit,
	});
}

function consoleOf({ console }: CommandBoardConfig) {
	if (console?.type === 'tcp') return createTcpConsole(console);
	return console && createSerialConsole(console);
}
