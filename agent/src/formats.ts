// The entry `board-access-agent/formats`. Runs in every JavaScript runtime.
export {
	checkFirmware,
	detectFormat,
	type Firmware,
	type FirmwareFormat,
	readFirmware,
} from './formats/firmware.ts';
export { FirmwareError } from './formats/firmware-error.ts';
export type { Segment } from './formats/segments.ts';
