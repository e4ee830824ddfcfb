// The emulated boards.
import { elfMachines, type FlashMemory } from 'board-access-contract/firmware';
import type { DebugTarget, Tracer } from './debug/target.ts';
import type { ChipPins } from './pins.ts';

export const emulators = ['arduino-uno', 'rp2040-pico'] as const;

export type EmulatorName = (typeof emulators)[number];

export const emulatedFlash = {
	'arduino-uno': { start: 0, size: 32 * 1024, machine: elfMachines.avr },
	'rp2040-pico': {
		start: 0x1000_0000,
		size: 2 * 1024 * 1024,
		machine: elfMachines.arm,
		family: 0xe48b_ff56,
	},
} as const satisfies Record<EmulatorName, FlashMemory>;

/** The pins that can be driven, the analog ones among them, and the voltage of a high pin. */
export const emulatedPins = {
	'arduino-uno': {
		names: [...pinNames('D', 0, 13), ...pinNames('A', 0, 5)],
		analog: pinNames('A', 0, 5),
		volts: 5,
	},
	'rp2040-pico': {
		names: [...pinNames('GP', 0, 22), ...pinNames('GP', 26, 28)],
		analog: pinNames('GP', 26, 28),
		volts: 3.3,
	},
};

function pinNames(letters: string, first: number, last: number) {
	return Array.from({ length: last - first + 1 }, (_, index) => `${letters}${first + index}`);
}

export interface EmulatedComputer {
	readonly flash: Uint8Array;
	readonly serial: SerialPort;
	isBootable(): boolean;
	erase(): void;
	/** Starts the firmware on a new machine. */
	start(): Machine;
	/** The same after a reset through the serial port, for which a boot loader waits. */
	startBootLoader?(): Machine;
}

/** A computer from one start of its firmware to the next. */
export interface Machine {
	readonly pins: ChipPins;
	readonly asleep: boolean;
	readonly debug: DebugTarget;
	/**
	 * Runs until this emulated time, the deadline of `performance.now()` or a halt. Returns the emulated time that has
	 * passed.
	 */
	run(nanoseconds: number, deadline: number, tracer?: Tracer): number;
}

export interface SerialPort {
	/** What the firmware has not read. */
	readonly input: number[];
	/** What the firmware has printed. */
	readonly output: number[];
}

export interface WorkerSettings {
	readonly emulator: EmulatorName;
	/** The share of a processor core that the board may use. */
	readonly cpuShare: number;
	readonly bootRom?: Uint8Array;
}
