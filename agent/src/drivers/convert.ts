// Converts firmware to a format that a tool reads.
import {
	FirmwareError,
	type FirmwareFormat,
	type FlashMemory,
	placeFirmware,
	readFirmware,
	type Segment,
	writeIntelHex,
} from 'board-access-contract/firmware';

const maxRaw = 16 * 1024 * 1024;

export interface Conversion {
	readonly bytes: Uint8Array;
	readonly formats: readonly FirmwareFormat[];
	readonly flash: FlashMemory;
	readonly offset: number;
}

/** The file as it is if the tool reads its format, or else as Intel HEX or raw. */
export function convertFirmware({ bytes, formats, flash, offset }: Conversion) {
	const firmware = readFirmware(bytes);
	const segments = placeFirmware(firmware, flash, offset);
	if (formats.includes(firmware.format)) return { bytes, format: firmware.format, offset };
	if (formats.includes('hex')) {
		const placed = segments.map((part) => ({ ...part, address: part.address + flash.start }));
		return { bytes: writeIntelHex(placed), format: 'hex' as const, offset: 0 };
	}
	if (formats.includes('raw')) return rawFile(segments);
	throw new FirmwareError(
		`This board takes ${formats.join(' or ')} files, and a ${firmware.format} file cannot be converted`,
	);
}

function rawFile(segments: readonly Segment[]) {
	const start = segments[0]?.address ?? 0;
	const last = segments.at(-1);
	const length = last ? last.address + last.data.length - start : 0;
	if (length > maxRaw) {
		throw new FirmwareError(`The file spans ${length} bytes; as a raw file it may span ${maxRaw}`);
	}
	const bytes = new Uint8Array(length).fill(0xff);
	for (const { address, data } of segments) bytes.set(data, address - start);
	return { bytes, format: 'raw' as const, offset: start };
}
