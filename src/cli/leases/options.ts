// The options for a board and for its firmware, which several commands have.
import { type BoardAccess, isApiError } from 'board-access';
import type { Command } from 'commander';
import { checkFirmwareFile } from '../../ci/firmware-file.ts';
import { unknownTypes } from '../boards/boards.ts';
import { CliError } from '../failures/cli-error.ts';
import { readBytes } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';

export interface BoardOptions {
	type?: string;
	board?: string;
}

export function withBoard(command: Command) {
	return command
		.option('--type <type>', 'a board of this type')
		.option('--board <id>', 'the board with this ID');
}

export function boardOf({ type, board }: BoardOptions, more = '') {
	if (type !== undefined && board === undefined) return { boardType: type };
	if (type === undefined && board !== undefined) return { boardId: board };
	throw new CliError(`Choose the board with either --type or --board${more}`, {
		hint: '"board-access boards list" shows types and boards.',
	});
}

/** Adds the known types to the error for a mistyped one. */
export async function withKnownTypes(
	cause: unknown,
	{ client, type, io }: { client: BoardAccess; type: string | undefined; io: Io },
) {
	if (type === undefined || !isApiError(cause, 'board_type_not_found')) return cause;
	return (await unknownTypes(client, [type], io)) ?? cause;
}

export interface FirmwareOptions {
	raw?: true;
	flashOffset?: string;
}

export function withFirmware(command: Command) {
	return command
		.option('--raw', 'flash the bytes of a file that is neither Intel HEX, UF2 nor ELF')
		.option('--flash-offset <offset>', 'where raw bytes begin in the flash, for example 0x1000');
}

export async function readFirmware(file: string, options: FirmwareOptions) {
	const bytes = new Uint8Array(await readBytes(file));
	checkFirmwareFile(file, bytes, { ...options, rawOption: '--raw' });
	return bytes;
}
