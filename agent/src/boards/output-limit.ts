// Limits the console output of a board. What exceeds the limit is dropped, with a visible mark.
import { notice } from '../drivers/hardware.ts';

export const maxOutput = 64_000;

/** A token bucket. Once it drops, it drops until a quarter is free again, so that marks are few. */
export function createOutputLimit(now: () => number = () => performance.now()) {
	let tokens = maxOutput;
	let last = now();
	let dropped = 0;

	/** The output that may pass, after a mark for what was dropped. */
	const take = (bytes: Uint8Array = new Uint8Array(), hasRoom = true): Uint8Array => {
		const time = now();
		tokens = Math.min(maxOutput, tokens + ((time - last) / 1000) * maxOutput);
		last = time;
		const isMarked = hasRoom && dropped > 0 && tokens >= maxOutput / 4;
		const mark = isMarked ? notice(`${dropped} bytes dropped`) : new Uint8Array();
		if (isMarked) dropped = 0;
		tokens -= mark.length;
		const passes = hasRoom && dropped === 0;
		const length = passes ? Math.min(bytes.length, Math.floor(tokens)) : 0;
		tokens -= length;
		dropped += bytes.length - length;
		return Buffer.concat([mark, bytes.subarray(0, length)]);
	};
	return {
		get dropping() {
			return dropped > 0;
		},
		take,
		/** Lets a full second of output pass, and returns the mark. */
		renew() {
			tokens = maxOutput;
			return take();
		},
	};
}
