// ELF, 32 bits. Reads sections, because a segment may begin with the header of the file.
import { FirmwareError } from './format.ts';
import { hexadecimal, joinSegments } from './segments.ts';

const noBits = 8;
const allocated = 2;
const loadable = 1;

/** Firmware has a few. Limits the work, because each section is searched in all of them. */
const maxSegments = 100;

/** From here on, the linker for AVR places EEPROM, fuses and signature. */
const avrEeprom = 0x810000;

/** The processors, as ELF numbers them. */
export const elfMachines = { arm: 40, avr: 83, xtensa: 94, riscv: 243 } as const;

/** Offsets in the header of the file, and in the entries of each table of headers. */
const tables = {
	program: {
		start: 28,
		counts: 42,
		minSize: 32,
		fields: { type: 0, offset: 4, address: 12, size: 16, flags: 24 },
	},
	section: {
		start: 32,
		counts: 46,
		minSize: 40,
		fields: { type: 4, flags: 8, address: 12, offset: 16, size: 20 },
	},
} as const;

type Header = Readonly<Record<keyof (typeof tables)['program']['fields'], number>>;

export function readElf(bytes: Uint8Array) {
	if (bytes.length < 52) throw new FirmwareError('The file is cut off within the ELF header');
	if (bytes[4] !== 1) throw new FirmwareError('The ELF file is not for a 32-bit processor');
	if (bytes[5] !== 1) throw new FirmwareError('The ELF file is not little-endian');
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const machine = view.getUint16(18, true);
	const segments = headersOf(view, 'program').filter(({ type }) => type === loadable);
	if (segments.length > maxSegments) {
		throw new FirmwareError(
			`The ELF file has ${segments.length} segments; at most ${maxSegments} are read`,
		);
	}
	const sections = headersOf(view, 'section')
		.filter(({ type, flags }) => flags & allocated && type !== noBits)
		.map((section) => ({ ...section, address: loadAddress(section, segments) }));
	const chunks = (sections.length > 0 ? sections : segments)
		.filter(
			({ size, address }) => size > 0 && !(machine === elfMachines.avr && address >= avrEeprom),
		)
		.map(({ offset, size, address }) => ({ address, data: slice(bytes, offset, size) }));
	// Headers that repeat the same bytes could amount to gigabytes.
	if (chunks.reduce((sum, { data }) => sum + data.length, 0) > bytes.length) {
		throw new FirmwareError('The parts of the ELF file overlap');
	}
	if (chunks.length === 0) throw new FirmwareError('The ELF file has no data to load');
	return { segments: joinSegments(chunks), machine };
}

/** Where a section is stored, which for initialized variables is not where it runs. */
function loadAddress({ offset, size, address }: Header, segments: readonly Header[]): number {
	const around = segments.find(
		(segment) => offset >= segment.offset && offset + size <= segment.offset + segment.size,
	);
	return around ? around.address + offset - around.offset : address;
}

function headersOf(view: DataView, name: keyof typeof tables): Header[] {
	const { start, counts, minSize, fields } = tables[name];
	const offset = view.getUint32(start, true);
	const size = view.getUint16(counts, true);
	const length = view.getUint16(counts + 2, true);
	if (length > 0 && (size < minSize || offset + size * length > view.byteLength)) {
		throw new FirmwareError(
			`The ${name} headers at byte ${offset} are cut off or invalid (${length} of ${size} bytes)`,
		);
	}
	return Array.from({ length }, (_, index) => {
		const values = Object.entries(fields).map(([name, start]) => [
			name,
			view.getUint32(offset + index * size + start, true),
		]);
		return Object.fromEntries(values) as Header; // the same names
	});
}

function slice(bytes: Uint8Array, offset: number, size: number): Uint8Array {
	if (offset + size > bytes.length) {
		throw new FirmwareError(
			`The file is cut off: ${size} bytes at ${hexadecimal(offset)} announced, ${bytes.length} in all`,
		);
	}
	return bytes.subarray(offset, offset + size);
}
