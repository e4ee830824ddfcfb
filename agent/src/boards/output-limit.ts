// Limits the console output of a board. What is beyond it is dropped, with a visible mark.
import { notice } from '../drivers/hardware.ts';

/** Bytes in a second. */
export const mostOutput = 64_000;

export interface OutputLimit {
	/** The part of the output that may pass, after a mark for what was dropped before it. */
	take(bytes: Uint8Array): Uint8Array;
	/** Drops the output, and marks it later. */
	drop(bytes: Uint8Array): Uint8Array;
	/** The mark for what was dropped, once output may pass again; otherwise nothing. */
	rest(): Uint8Array;
	/** Resets the limit, so that a full second of output passes. */
	renew(): void;
	readonly dropping: boolean;
}

/** A token bucket. While it drops, it drops all until a quarter is free again, so that marks are few. */
export function createOutputLimit(now: () => number = () => performance.now()): OutputLimit {
	let tokens = mostOutput;
	let last = now();
	let dropped = 0;

	const refill = () => {
		const time = now();
		tokens = Math.min(mostOutput, tokens + ((time - last) / 1000) * mostOutput);
		last = time;
	};
	const mark = () => {
		if (dropped === 0 || tokens < mostOutput / 4) return new Uint8Array();
		const text = notice(`${dropped} bytes dropped`);
		dropped = 0;
		tokens -= text.length;
		return text;
	};
	return {
		get dropping() {
			return dropped > 0;
		},
		renew() {
			tokens = mostOutput;
			last = now();
		},
		rest() {
			refill();
			return mark();
		},
		drop(bytes) {
			dropped += bytes.length;
			return new Uint8Array();
		},
		take(bytes) {
			refill();
			const before = mark();
			const length = dropped > 0 ? 0 : Math.min(bytes.length, Math.floor(tokens));
			tokens -= length;
			dropped += bytes.length - length;
			return Buffer.concat([before, bytes.subarray(0, length)]);
		},
	};
}
