// Reads a firmware file, and the options that say what may be in it.
import type { Command } from 'commander';
import { checkFirmwareFile } from '../../ci/firmware-file.ts';
import { readBytes } from '../terminal/input.ts';

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
