/** A firmware file that cannot be used. The message says where and why. */
export class FirmwareError extends Error {
	override readonly name = 'FirmwareError';
	/** That of the service for the same file. */
	readonly code = 'invalid_firmware';
}
