// The boot loader of an Arduino Uno, which speaks STK500 (version 1) with avrdude. The emulated chip cannot write its
// own flash, so it is no firmware.
import type { Machine, SerialPort } from './boards.ts';

const replies = { inSync: 0x14, ok: 0x10 };
const endOfCommand = 0x20;
const signature = [0x1e, 0x95, 0x0f];

const commands = {
	sync: 0x30,
	parameter: 0x41,
	device: 0x42,
	extended: 0x45,
	leave: 0x51,
	address: 0x55,
	universal: 0x56,
	write: 0x64,
	read: 0x74,
	signature: 0x75,
};

/** The lengths of commands that have more than one byte before the end. */
const lengths: Readonly<Record<number, number>> = {
	[commands.parameter]: 3,
	[commands.device]: 22,
	[commands.address]: 4,
	[commands.universal]: 6,
	[commands.read]: 5,
};

export class UnoBootLoader {
	readonly #memories: Readonly<Record<'flash' | 'eeprom', Uint8Array>>;
	#address = 0;
	/** Whether avrdude has begun. Anything else is for the firmware. */
	#isSynchronized = false;
	isFinished = false;

	constructor(memories: Readonly<Record<'flash' | 'eeprom', Uint8Array>>) {
		this.#memories = memories;
	}

	/** Takes whole commands off the input and returns the replies. */
	take(input: number[]): number[] {
		const output: number[] = [];
		while (!this.isFinished && input.length > 0) {
			const length = lengthOf(input);
			if (!this.#isSynchronized && !isSync(input)) this.isFinished = true;
			else if (length > input.length) break;
			else output.push(...this.#replyTo(input.splice(0, length)));
		}
		return output;
	}

	#replyTo(command: readonly number[]): readonly number[] {
		if (command.at(-1) !== endOfCommand) return [];
		this.#isSynchronized = true;
		this.isFinished = command[0] === commands.leave;
		return [replies.inSync, ...this.#resultOf(command), replies.ok];
	}

	#resultOf([command, ...bytes]: readonly number[]): Iterable<number> {
		const [first = 0, second = 0, type] = bytes;
		const memory = this.#memories[type === 0x45 ? 'eeprom' : 'flash'];
		const size = first * 256 + second;
		if (command === commands.parameter) return [first === 0x81 || first === 0x82 ? 4 : 0];
		if (command === commands.universal) return [0];
		if (command === commands.signature) return signature;
		if (command === commands.address) this.#address = (first + second * 256) * 2;
		if (command === commands.read) return memory.subarray(this.#address, this.#address + size);
		if (command === commands.write) {
			const room = Math.max(0, memory.length - this.#address);
			memory.set(bytes.slice(3, 3 + size).slice(0, room), Math.min(this.#address, memory.length));
		}
		return [];
	}
}

function isSync([first, second = endOfCommand]: readonly number[]) {
	return first === commands.sync && second === endOfCommand;
}

function lengthOf([command = 0, first = 0, second = 0]: readonly number[]): number {
	if (command === commands.extended) return first + 2;
	if (command === commands.write) return first * 256 + second + 5;
	return lengths[command] ?? 2;
}

/** How long the boot loader waits for a command, in nanoseconds. */
const patience = 1e9;

interface BootParts {
	readonly loader: UnoBootLoader;
	readonly serial: SerialPort;
	isBootable(): boolean;
}

/** The chip, with a boot loader that runs before its firmware. */
export function withBootLoader(chip: Machine, { loader, serial, isBootable }: BootParts): Machine {
	let left = patience;
	return {
		pins: chip.pins,
		debug: chip.debug,
		get asleep() {
			return loader.isFinished ? chip.asleep : true;
		},
		run(nanoseconds, deadline, tracer) {
			if (loader.isFinished)
				return isBootable() ? chip.run(nanoseconds, deadline, tracer) : nanoseconds;
			const replies = loader.take(serial.input);
			serial.output.push(...replies);
			left = replies.length > 0 ? patience : left - nanoseconds;
			if (left <= 0) loader.isFinished = true;
			return nanoseconds;
		},
	};
}
