// Converts firmware to a format that a tool reads.
import {
	FirmwareError,
	type FirmwareFormat,
	type FlashMemory,
	placeFirmware,
	type Segment,
	writeIntelHex,
} from 'board-access-contract/firmware';
import type { FirmwareFile } from './hardware.ts';

/** The largest raw file made of a file with gaps. */
const mostRaw = 16 * 1024 * 1024;

interface Target {
	readonly formats: readonly FirmwareFormat[];
	readonly flash: FlashMemory;
	readonly offset: number;
}

/** The file as it is if the tool reads it; otherwise as Intel HEX or raw, and its offset in the flash. */
export function convertFirmware(
	{ bytes, firmware }: FirmwareFile,
	{ formats, flash, offset }: Target,
): { bytes: Uint8Array; format: FirmwareFormat; offset: number } {
	const segments = placeFirmware(firmware, flash, offset);
	if (formats.includes(firmware.format)) return { bytes, format: firmware.format, offset };
	if (formats.includes('hex')) {
		const placed = segments.map((part) => ({ ...part, address: part.address + flash.start }));
		return { bytes: writeIntelHex(placed), format: 'hex', offset: 0 };
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
	if (length > mostRaw) {
		throw new FirmwareError(`The file spans ${length} bytes; as a raw file it may span ${mostRaw}`);
	}
	const bytes = new Uint8Array(length).fill(0xff);
	for (const { address, data } of segments) bytes.set(data, address - start);
	return { bytes, format: 'raw' as const, offset: start };
}
