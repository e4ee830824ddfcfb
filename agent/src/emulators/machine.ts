// An emulated computer with flash and one serial port, as the worker drives it.
import type { Segment } from 'board-access-contract/firmware';

export interface Machine {
	/** Whether the firmware sleeps until an event. */
	readonly asleep: boolean;
	/** Whether the flash holds something that can start. */
	readonly bootable: boolean;
	/**
	 * Runs for at most `nanoseconds` of emulated time, and until `deadline` on the clock of
	 * `performance.now()`. Returns the emulated time that has passed.
	 */
	run(nanoseconds: number, deadline: number): number;
	/** Sends bytes to the serial port, no faster than the firmware reads them. */
	input(bytes: Uint8Array): void;
	/** How many of these bytes the firmware has not read. */
	readonly unread: number;
	/** Writes to the flash, at addresses counted from its start. */
	write(segments: readonly Segment[]): void;
	erase(): void;
	/** Restarts the firmware. Input that it has not read is lost. */
	restart(): void;
}

/** Called with each byte that the firmware sends. */
export type SerialOutput = (byte: number) => void;
