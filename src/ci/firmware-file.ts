// Checks a firmware file before anything is sent, and before a board is waited for or erased.
import { checkFormat, type FormatOptions, readFirmware } from '../contract/firmware/index.ts';

/** Adds the name of the file to what the service says about it. */
export function namingFile(error: unknown, file: string) {
	const isAboutFile =
		error instanceof Error && 'code' in error && error.code === 'invalid_firmware';
	if (isAboutFile) error.message = `${file}: ${error.message}`;
	return error;
}

/** Throws an error that names the file and says what is wrong, and where. */
export function checkFirmwareFile(file: string, bytes: Uint8Array, options: FormatOptions) {
	try {
		checkFormat(bytes, options);
		readFirmware(bytes);
	} catch (error) {
		// Only a FirmwareError is thrown here, and it is an Error.
		throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
	}
}
