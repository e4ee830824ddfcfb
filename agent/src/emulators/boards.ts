// The emulated boards: which chip, where its flash is, and how the worker drives it.
import { elfMachines, type FlashMemory } from 'board-access-contract/firmware';
import type { BoardWork } from '../drivers/hardware.ts';
import type { ChipPins, DrivenPins, PinSample } from './pins.ts';

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

/** Which pins can be driven, the analog ones among them, and the voltage of a high one. */
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
	/** Whether the flash holds something that can start. */
	isBootable(): boolean;
	erase(): void;
	/** Starts the firmware, on a machine of its own. */
	start(): Machine;
}

/** A computer from one start of its firmware to the next. */
export interface Machine {
	readonly pins: ChipPins;
	/** Whether the firmware sleeps until an event. */
	readonly asleep: boolean;
	/**
	 * Runs for at most `nanoseconds` of emulated time, and until `deadline` on the clock of
	 * `performance.now()`. Returns the emulated time that has passed.
	 */
	run(nanoseconds: number, deadline: number): number;
}

/** The serial port of a computer. */
export interface SerialPort {
	/** What the firmware has not read; the machine takes no more at a time than the firmware reads. */
	readonly input: number[];
	/** What the firmware has printed. */
	readonly output: number[];
}

// What the agent and the worker of an emulated board send each other.

export interface WorkerSettings {
	readonly emulator: EmulatorName;
	/** The share of a processor core that the board may use. */
	readonly cpuShare: number;
	readonly bootRom?: Uint8Array;
}

/** A task or input is sent once the one before is done or has failed. */
export type ToWorker =
	| { readonly type: 'task'; readonly task: BoardWork }
	/** Done once the board has taken the bytes. */
	| { readonly type: 'input'; readonly bytes: Uint8Array }
	/** Input that the board has not taken fails. */
	| { readonly type: 'withdraw' }
	/** Returned as `sample`: what the pins did since the last one, of which the first begins to measure. */
	| { readonly type: 'sample' }
	/** Stops measuring the pins. */
	| { readonly type: 'rest' }
	| { readonly type: 'drive'; readonly pins: DrivenPins };

export type FromWorker =
	| { readonly type: 'done' | 'failed'; readonly message: string }
	| { readonly type: 'output'; readonly bytes: Uint8Array }
	| { readonly type: 'sample'; readonly sample: PinSample };
