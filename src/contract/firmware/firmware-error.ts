/** A firmware file that cannot be used. The message says where and why. */
export class FirmwareError extends Error {
	override readonly name = 'FirmwareError';
}
