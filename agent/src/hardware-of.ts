// Makes the hardware of a board from its configuration.
import { type BoardConfig, type CommandBoardConfig, commandsOf, valuesOf } from './config.ts';
import type { BoardConsole } from './consoles/console.ts';
import { createSerialConsole } from './consoles/serial.ts';
import { createTcpConsole } from './consoles/tcp.ts';
import { createCommandBoard } from './drivers/command.ts';
import { createEmulatedBoard } from './drivers/emulated.ts';
import type { Hardware } from './drivers/hardware.ts';
import { type Preset, presets } from './drivers/presets.ts';
import { markOf } from './drivers/survivors.ts';
import { emulators } from './emulators/boards.ts';
import type { Permit } from './link/contact.ts';

/** The tools of a board are known again by the state file when the agent has restarted. */
export function hardwareOf(
	board: BoardConfig,
	stateFile: string | undefined,
	permit: Permit = async () => {},
): Hardware {
	if (board.driver === 'command') return commandBoard(board, stateFile, permit);
	const emulator = emulators.find((name) => name === (board.emulator ?? board.type));
	if (emulator === undefined) throw new Error(`No emulator for ${board.type}`);
	return createEmulatedBoard({ emulator, cpuShare: board.cpu_share, bootRom: board.boot_rom });
}

function commandBoard(
	board: CommandBoardConfig,
	stateFile: string | undefined,
	permit: Permit,
): Hardware {
	const preset: Preset | undefined = board.preset && presets[board.preset];
	const { start, size } = board.memory ?? { start: preset?.flashStart ?? 0, size: 0xffff_ffff };
	return createCommandBoard({
		commands: commandsOf(board),
		formats: board.formats ??
			(board.flash ? undefined : preset?.formats) ?? ['hex', 'uf2', 'elf', 'raw'],
		flash: { start: Number(start), size: Number(size), machine: preset?.machine },
		values: valuesOf(board),
		timeouts: {
			flash: board.timeouts.flash * 1000,
			erase: board.timeouts.erase * 1000,
			reset: board.timeouts.reset * 1000,
			power_on: board.timeouts.power_on * 1000,
			power_off: board.timeouts.power_off * 1000,
		},
		powerPause: board.power_pause * 1000,
		console: consoleOf(board),
		exclusive: board.console?.exclusive ?? preset?.usesConsolePort,
		pulse: preset?.pulse,
		mark: markOf(stateFile, board.id),
		permit,
	});
}

function consoleOf({ console: wanted }: CommandBoardConfig): BoardConsole | undefined {
	if (wanted?.type === 'tcp') return createTcpConsole({ host: wanted.host, port: wanted.port });
	if (wanted?.type !== 'serial') return undefined;
	const { path, baud, dtr, rts } = wanted;
	return createSerialConsole({ path, baud, lines: { dtr, rts } });
}
