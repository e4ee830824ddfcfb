// Notices firmware that waits in a loop for an event, such as the byte before to be sent.
import type { CPU } from 'avr8js';

/** After a loop that did not wait, twice as many jumps are not looked at, up to this many. */
const maxPause = 1024;

/** The most jumps back within a loop. */
const maxLoop = 16;

/**
 * Returns a function for after each jump back. It returns whether the chip came here before in the same state,
 * and nothing on the way depends on the time: then it comes here again and again until the next event.
 */
export function watchLoops(cpu: CPU, nextEvent: () => number): () => boolean {
	const state = new Uint8Array(cpu.data.length);
	let [pc, event] = [0, 0];
	let isTimeless = true;
	let pause = 1;
	/** The jumps until the state is remembered; below 0 while it is compared. */
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

/** Calls `use` whenever the firmware reads or writes what is not plain memory, or resets the watchdog. */
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
