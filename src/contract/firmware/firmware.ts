// Firmware files: which format a file has, and what it puts where. Runs in every JavaScript runtime.
import { elfMachines, readElf } from './elf.ts';
import {
	detectFormat,
	FirmwareError,
	type FirmwareFormat,
	fileOf,
	requireOffset,
} from './format.ts';
import { readIntelHex } from './intel-hex.ts';
import { hexadecimal, type Segment } from './segments.ts';
import { readUf2 } from './uf2.ts';

/** A firmware file that has been read. */
export interface Firmware {
	readonly format: FirmwareFormat;
	/** Sorted by address, without overlaps. The bytes of a raw file stand at address 0. */
	readonly segments: readonly Segment[];
	/** The processor that an ELF file is for. */
	readonly machine?: number;
	/** The chip family that a UF2 file is for. */
	readonly family?: number | null;
}

/** Flash memory in the address space of a board. */
export interface FlashMemory {
	readonly start: number;
	readonly size: number;
	readonly machine?: number | undefined;
	readonly family?: number | undefined;
}

const readers = { hex: readIntelHex, uf2: readUf2, elf: readElf };

/** Throws a FirmwareError that says where the file is invalid. */
export function readFirmware(bytes: Uint8Array): Firmware {
	if (bytes.length === 0) throw new FirmwareError('The file is empty');
	const format = detectFormat(bytes);
	if (format === 'raw') return { format, segments: [{ address: 0, data: bytes }] };
	const content = readers[format](bytes);
	if (content.segments.length === 0) throw new FirmwareError('The file has no data');
	return { format, ...content };
}

/** Validates the whole file. Throws a FirmwareError if it is invalid. */
export function checkFirmware(bytes: Uint8Array): { format: FirmwareFormat } {
	return { format: readFirmware(bytes).format };
}

/** Where the firmware goes, with addresses counted from the start of the flash. */
export function placeFirmware(firmware: Firmware, flash: FlashMemory, offset: number): Segment[] {
	requireSameChip(firmware, flash);
	requireOffset(firmware.format, offset);
	return firmware.segments.map(({ address, data }) => {
		const part = { address: firmware.format === 'raw' ? offset : address - flash.start, data };
		if (part.address < 0 || part.address + data.length > flash.size) {
			throw outside({ ...part, size: data.length }, firmware.format, flash);
		}
		return part;
	});
}

/** Rejects a flash offset that does not apply to the file, or at which it does not fit. */
export function checkOffset(
	{ format, size }: { format: FirmwareFormat; size: number },
	offset: number,
	flash?: FlashMemory,
) {
	requireOffset(format, offset);
	if (format !== 'raw' || !flash || offset + size <= flash.size) return;
	throw outside({ address: offset, size }, format, flash);
}

function requireSameChip({ machine, family }: Firmware, flash: FlashMemory): void {
	if (machine !== undefined && flash.machine !== undefined && machine !== flash.machine) {
		throw new FirmwareError(
			`The ELF file is for ${machineName(machine)}, not ${machineName(flash.machine)}`,
		);
	}
	if (typeof family === 'number' && flash.family !== undefined && family !== flash.family) {
		throw new FirmwareError(
			`The UF2 file is for chip family ${hexadecimal(family)}, not ${hexadecimal(flash.family)}`,
		);
	}
}

function machineName(machine: number): string {
	const found = Object.entries(elfMachines).find(([, number]) => number === machine);
	return found ? found[0].toUpperCase() : `processor ${machine}`;
}

function outside(
	part: { address: number; size: number },
	format: FirmwareFormat,
	{ start, size }: FlashMemory,
) {
	const from = start + part.address;
	const shown = from < 0 ? String(from) : hexadecimal(from);
	const problem = `${fileOf(format)} has ${part.size} bytes at ${shown}, outside the flash (${hexadecimal(start)} to ${hexadecimal(start + size - 1)})`;
	const cause = format === 'raw' ? '' : ': it may be for another type of board';
	return new FirmwareError(problem + cause);
}
