// The entry `board-access-agent/formats`. Runs in every JavaScript runtime.
export {
	checkFirmware,
	detectFormat,
	type Firmware,
	FirmwareError,
	type FirmwareFormat,
	readFirmware,
	type Segment,
} from 'board-access-contract/firmware';
