// Reads a firmware file.
import { hash } from 'node:crypto';
import {
	checkFormat,
	type FlashMemory,
	placeFirmware,
	readFirmware,
} from 'board-access-contract/firmware';

export interface UnreadFile {
	data: Uint8Array;
	/** Whether a file of no known format is accepted. */
	raw: boolean;
	/** The flash memory of the board. */
	memory?: FlashMemory | undefined;
}

export type FileContent = ReturnType<typeof contentOf>;

/** Throws a FirmwareError. Called only in a thread, because large files take long. */
export function contentOf({ data, raw, memory }: UnreadFile) {
	checkFormat(data, { raw, rawOption: 'raw=true' });
	const firmware = readFirmware(data);
	if (memory) placeFirmware(firmware, memory, 0);
	return { format: firmware.format, sha256: hash('sha256', data) };
}
