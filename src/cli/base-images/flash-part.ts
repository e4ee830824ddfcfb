// One step of preparing a board: the common form of the files that build tools write.

export interface FlashPart {
	action: 'flash' | 'erase';
	/** The board type that the file names, written as in `esp32-s3`. */
	chip: string;
	name: string;
	/** A path relative to the file, or an address. Empty for an erase. */
	path: string;
	/** As in the file, in hexadecimal or decimal. */
	offset: string;
	position?: number | undefined;
	description?: string | undefined;
	enabled?: boolean | undefined;
	/** The size of the flash in bytes, if the file has it. */
	flashSize?: number | undefined;
	/** The size of the image in bytes, if it is beside the file. */
	size?: number | undefined;
}

/** Whether a path is a web address rather than a file. */
export function isWebAddress(path: string) {
	return /^https?:\/\//i.test(path);
}

/** `ESP32-S3` and `esp32s3` are both `esp32-s3`. */
export function chipName(text: string) {
	return text.toLowerCase().replace(/^esp32-?(?=[a-z])/, 'esp32-');
}
