// Detects firmware that waits in a loop for an event, such as the end of a transmission.
import type { CPU } from 'avr8js';

/** How many jumps to skip after loops that did not wait, at most. */
const maxPause = 1024;

/** How many jumps back a loop may have. */
const maxLoop = 16;

/**
 * Returns a function to call after each jump back. It returns whether the chip is in the same state as before and
 * nothing in the loop depends on the time, so that only an event can end the loop.
 */
export function watchLoops(cpu: CPU, nextEvent: () => number): () => boolean {
	const state = new Uint8Array(cpu.data.length);
	let [pc, event] = [0, 0];
	let isTimeless = true;
	let pause = 1;
	/** The jumps until the state is stored; below 0 while it is compared. */
	let left = pause;
	onPeripherals(cpu, () => {
		isTimeless = false;
	});
	return () => {
		left -= 1;
		if (left > 0) return false;
		if (left === 0) {
			state.set(cpu.data);
			[pc, event, isTimeless] = [cpu.pc, nextEvent(), true];
			return false;
		}
		const isBack = cpu.pc === pc;
		if (!isBack && left > -maxLoop) return false;
		const waits =
			isBack && isTimeless && cpu.cycles < event && Buffer.compare(cpu.data, state) === 0;
		pause = waits ? 1 : Math.min(2 * pause, maxPause);
		left = pause;
		return waits;
	};
}

/** Calls `use` when the firmware uses a peripheral or resets the watchdog. */
function onPeripherals(cpu: CPU, use: () => void): void {
	const noticed =
		<Values extends unknown[], Result>(hook: (...values: Values) => Result) =>
		(...values: Values) => {
			use();
			return hook(...values);
		};
	const { readHooks, writeHooks } = cpu;
	for (const [address, hook] of Object.entries(readHooks)) {
		readHooks[Number(address)] = noticed(hook);
	}
	for (const [address, hook] of Object.entries(writeHooks)) {
		writeHooks[Number(address)] = noticed(hook);
	}
	cpu.onWatchdogReset = noticed(cpu.onWatchdogReset);
}
