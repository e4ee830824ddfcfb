// ELF, 32 bits. By sections: a segment may begin with the file's own header, which is no firmware.
import { FirmwareError } from './firmware-error.ts';
import { hexadecimal, joinSegments, type Segment } from './segments.ts';

const sectionTypes = { noBits: 8 } as const;
const allocated = 2;
const loadable = 1;

/** Firmware has a few. Each section is looked for in all of them. */
const mostSegments = 100;

/** Above this address, the linker for AVR places EEPROM, fuses and signature: not flash. */
const avrEeprom = 0x810000;

export const elfMachines = { arm: 40, avr: 83, xtensa: 94, riscv: 243 } as const;

export interface Elf {
	readonly segments: Segment[];
	/** The processor, as ELF numbers them. */
	readonly machine: number;
}

interface Header {
	readonly type: number;
	readonly flags: number;
	readonly offset: number;
	readonly address: number;
	readonly size: number;
}

export function readElf(bytes: Uint8Array): Elf {
	if (bytes.length < 52) throw new FirmwareError('The file is cut off within the ELF header');
	if (bytes[4] !== 1) throw new FirmwareError('The ELF file is not for a 32-bit processor');
	if (bytes[5] !== 1) throw new FirmwareError('The ELF file is not little-endian');
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const machine = view.getUint16(18, true);
	const segments = programHeaders(view).filter(({ type }) => type === loadable);
	if (segments.length > mostSegments) {
		throw new FirmwareError(
			`The ELF file has ${segments.length} segments; at most ${mostSegments} are read`,
		);
	}
	const sections = sectionHeaders(view)
		.filter(({ type, flags }) => flags & allocated && type !== sectionTypes.noBits)
		.map((section) => ({ ...section, address: loadAddress(section, segments) }));
	const pieces = (sections.length > 0 ? sections : segments)
		.filter(
			({ size, address }) => size > 0 && !(machine === elfMachines.avr && address >= avrEeprom),
		)
		.map(({ offset, size, address }) => ({ address, data: slice(bytes, offset, size) }));
	// Headers that name the same bytes again and again would become gigabytes.
	if (pieces.reduce((sum, { data }) => sum + data.length, 0) > bytes.length) {
		throw new FirmwareError('The parts of the ELF file overlap');
	}
	if (pieces.length === 0) throw new FirmwareError('The ELF file has no data to load');
	return { segments: joinSegments(pieces), machine };
}

/** Where a section is stored, which for initialized variables is not where it runs. */
function loadAddress({ offset, size, address }: Header, segments: readonly Header[]): number {
	const around = segments.find(
		(segment) => offset >= segment.offset && offset + size <= segment.offset + segment.size,
	);
	return around ? around.address + offset - around.offset : address;
}

function programHeaders(view: DataView): Header[] {
	const table = { name: 'program', start: 28, entrySize: 42, count: 44, least: 32 };
	return tableOf(view, table).map((at) => ({
		type: view.getUint32(at, true),
		offset: view.getUint32(at + 4, true),
		address: view.getUint32(at + 12, true),
		size: view.getUint32(at + 16, true),
		flags: view.getUint32(at + 24, true),
	}));
}

function sectionHeaders(view: DataView): Header[] {
	const table = { name: 'section', start: 32, entrySize: 46, count: 48, least: 40 };
	return tableOf(view, table).map((at) => ({
		type: view.getUint32(at + 4, true),
		flags: view.getUint32(at + 8, true),
		address: view.getUint32(at + 12, true),
		offset: view.getUint32(at + 16, true),
		size: view.getUint32(at + 20, true),
	}));
}

interface Table {
	readonly name: string;
	readonly start: number;
	readonly entrySize: number;
	readonly count: number;
	readonly least: number;
}

/** Where the entries of a table of headers begin. */
function tableOf(view: DataView, { name, start, entrySize, count, least }: Table): number[] {
	const offset = view.getUint32(start, true);
	const size = view.getUint16(entrySize, true);
	const length = view.getUint16(count, true);
	if (length === 0) return [];
	if (size < least || offset + size * length > view.byteLength) {
		throw new FirmwareError(
			`The ${name} headers at byte ${offset} are cut off or invalid (${length} of ${size} bytes)`,
		);
	}
	return Array.from({ length }, (_, index) => offset + index * size);
}

function slice(bytes: Uint8Array, offset: number, size: number): Uint8Array {
	if (offset + size > bytes.length) {
		throw new FirmwareError(
			`The file is cut off: ${size} bytes at ${hexadecimal(offset)} announced, ${bytes.length} in all`,
		);
	}
	return bytes.subarray(offset, offset + size);
}
