// What the emulated boards have: which chip, and where its flash is.
import { elfMachines, type FlashMemory } from 'board-access-contract/firmware';

export const emulators = ['arduino-uno', 'rp2040-pico'] as const;

/** A board that the agent can emulate. */
export type EmulatorName = (typeof emulators)[number];

export const emulatedFlash: Record<
	EmulatorName,
	Required<Omit<FlashMemory, 'family'>> & FlashMemory
> = {
	'arduino-uno': { start: 0, size: 32 * 1024, machine: elfMachines.avr },
	'rp2040-pico': {
		start: 0x1000_0000,
		size: 2 * 1024 * 1024,
		machine: elfMachines.arm,
		family: 0xe48b_ff56,
	},
};
