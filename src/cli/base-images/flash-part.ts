// One step of preparing a board: what the files that build tools write come down to.

export interface FlashPart {
	action: 'flash' | 'erase';
	/** The board type that the file names, written as in `esp32-s3`. */
	chip: string;
	name: string;
	/** A path beside the file, or an address. Empty for an erase. */
	path: string;
	/** As the file writes it, in hex or decimal. */
	offset: string;
	position?: number | undefined;
	description?: string | undefined;
	enabled?: boolean | undefined;
	/** The bytes of the flash, where the file says so. */
	flashSize?: number | undefined;
}

/** Whether a path is the address of an image, not that of a file on this machine. */
export function isWebAddress(path: string) {
	return /^https?:\/\//i.test(path);
}

/** `ESP32-S3` and `esp32s3` are both `esp32-s3`. */
export function chipName(text: string) {
	return text.toLowerCase().replace(/^esp32-?(?=[a-z])/, 'esp32-');
}

/** The last part of a path without the ending of its name. */
export function nameOf(path: string) {
	return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.[^.]+$/, '') || path;
}
