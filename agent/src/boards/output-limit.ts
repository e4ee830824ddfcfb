// Limits the console output of a board. What is beyond it is dropped, with a visible mark.
import { notice } from '../drivers/hardware.ts';

export const mostOutput = 64_000;

/** A token bucket. While it drops, it drops all until a quarter is free again, so that marks are few. */
export function createOutputLimit(now: () => number = () => performance.now()) {
	let tokens = mostOutput;
	let last = now();
	let dropped = 0;

	const refill = () => {
		const time = now();
		tokens = Math.min(mostOutput, tokens + ((time - last) / 1000) * mostOutput);
		last = time;
	};
	/** The mark for what was dropped, once output may pass again; otherwise nothing. */
	const rest = () => {
		refill();
		if (dropped === 0 || tokens < mostOutput / 4) return new Uint8Array();
		const mark = notice(`${dropped} bytes dropped`);
		dropped = 0;
		tokens -= mark.length;
		return mark;
	};
	return {
		get dropping() {
			return dropped > 0;
		},
		rest,
		/** Lets a full second of output pass, and returns the mark. */
		renew() {
			tokens = mostOutput;
			return rest();
		},
		/** The part of the output that may pass, after the mark; nothing without room for it. */
		take(bytes: Uint8Array, hasRoom = true): Uint8Array {
			const mark = hasRoom ? rest() : new Uint8Array();
			const passes = hasRoom && dropped === 0;
			const length = passes ? Math.min(bytes.length, Math.floor(tokens)) : 0;
			tokens -= length;
			dropped += bytes.length - length;
			return Buffer.concat([mark, bytes.subarray(0, length)]);
		},
	};
}
