// The format of a firmware file, by its first bytes. Does not import the readers, which are large.

/** A firmware file that cannot be used. The message says where and why. */
export class FirmwareError extends Error {
	override readonly name = 'FirmwareError';
	/** The same as in the response of the service. */
	readonly code = 'invalid_firmware';
}

export const firmwareFormats = ['hex', 'uf2', 'elf', 'raw'] as const;

/** The format of a firmware file. */
export type FirmwareFormat = (typeof firmwareFormats)[number];

/** The largest firmware file, in bytes. */
export const maxFileSize = 16 * 1024 * 1024;

const names: Record<FirmwareFormat, string> = {
	hex: 'Intel HEX',
	uf2: 'UF2',
	elf: 'ELF',
	raw: 'raw',
};

const colon = 0x3a;
/** So that no file is searched to its end. */
const maxBlanks = 1024;
const uf2 = [0x55, 0x46, 0x32, 0x0a];
const elf = [0x7f, 0x45, 0x4c, 0x46];

/** The format, by the first bytes of the file. Without a known mark, it is raw. */
export function detectFormat(bytes: Uint8Array): FirmwareFormat {
	const beginsWith = (mark: readonly number[]) =>
		mark.every((byte, index) => bytes[index] === byte);
	if (beginsWith(uf2)) return 'uf2';
	if (beginsWith(elf)) return 'elf';
	return isIntelHex(bytes) ? 'hex' : 'raw';
}

export function fileOf(format: FirmwareFormat) {
	return `The ${names[format]} file`;
}

export interface FormatOptions {
	/** Whether to flash a file of no known format as it is. */
	raw?: boolean | undefined;
	/** How to set `raw`, for a message. */
	rawOption?: string;
	flashOffset?: string | undefined;
}

/** Rejects a file of no known format, unless `raw` is set, and an offset that does not apply. */
export function checkFormat(
	bytes: Uint8Array,
	{ raw, rawOption = 'raw: true', flashOffset = '0' }: FormatOptions = {},
) {
	if (bytes.length === 0) throw new FirmwareError('The file is empty');
	if (bytes.length > maxFileSize) throw new FirmwareError('The file is larger than 16 MiB');
	if (!isOffset(flashOffset)) throw new FirmwareError(`The flash offset ${offsetRule}`);
	const format = detectFormat(bytes);
	if (format === 'raw' && !raw) {
		throw new FirmwareError(
			`The file is neither Intel HEX, UF2 nor ELF. To flash its bytes as they are, pass ${rawOption}`,
		);
	}
	requireOffset(format, Number(flashOffset));
}

export function requireOffset(format: FirmwareFormat, offset: number) {
	if (format === 'raw' || offset === 0) return;
	throw new FirmwareError(
		`The file is ${names[format]}, which has its own addresses; a flash offset applies to raw files only`,
	);
}

export const offsetRule =
	'must be 0x and 1 to 8 hex digits, or a decimal without leading zeros, at most 4294967295';

export function isOffset(text: string) {
	return /^(0x[0-9a-f]{1,8}|0|[1-9]\d{0,9})$/i.test(text) && Number(text) <= 0xffff_ffff;
}

/** Whether the file begins with a colon and text. */
function isIntelHex(bytes: Uint8Array): boolean {
	const start = bytes.subarray(0, maxBlanks).findIndex((byte) => !isBlank(byte));
	if (bytes[start] !== colon) return false;
	return bytes
		.subarray(start, start + 64)
		.every((byte) => isBlank(byte) || (byte > 0x20 && byte < 0x7f));
}

function isBlank(byte = 0): boolean {
	return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
