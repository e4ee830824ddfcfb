// The entry `board-access-contract/firmware`: what firmware files are, for all who check them.
export { elfMachines } from './elf.ts';
export {
	checkFirmware,
	checkOffset,
	type Firmware,
	type FlashMemory,
	placeFirmware,
	readFirmware,
} from './firmware.ts';
export {
	checkFormat,
	detectFormat,
	FirmwareError,
	type FirmwareFormat,
	type FormatOptions,
} from './format.ts';
export { writeIntelHex } from './intel-hex.ts';
export { hexadecimal, type Segment } from './segments.ts';
