// A Raspberry Pi Pico: an RP2040 at 125 MHz, by rp2040js. Its serial port is UART0.
import { type RP2040, Simulator } from 'rp2040js';
import { type EmulatedComputer, emulatedFlash, type Machine, type SerialPort } from './boards.ts';
import { createCortexM0Target } from './debug/cortex-m0.ts';
import type { Tracer } from './debug/target.ts';
import { createPicoPins } from './pico-pins.ts';

type Uart = RP2040['uart'][number];

const nanosecondsPerCycle = 1e9 / 125_000_000;
const { start: flashStart, size: flashSize } = emulatedFlash['rp2040-pico'];
const memoryStart = 0x2000_0000;
const memoryEnd = 0x2004_2000;
const secondStageSize = 0x100;

const uartFlags = 0x18;
const receiveEmpty = 1 << 4;
const defaultBaud = 115_200;

const stride = 1024;

const silent = { debug() {}, info() {}, warn() {}, error() {} };

export function createPico(bootRom: Uint8Array | undefined): EmulatedComputer {
	const serial = { input: [], output: [] };
	const flash = new Uint8Array(flashSize).fill(0xff);
	return {
		flash,
		serial,
		isBootable: () =>
			bootRom === undefined
				? vectorTable(flash) !== undefined
				: flash.subarray(0, secondStageSize).some((byte) => byte !== 0xff),
		start: () => startChip(flash, serial, bootRom),
		erase: () => void flash.fill(0xff),
	};
}

function startChip(
	flash: Uint8Array,
	{ input, output }: SerialPort,
	bootRom: Uint8Array | undefined,
): Machine {
	const { rp2040, clock } = new Simulator();
	rp2040.logger = silent;
	if (bootRom) rp2040.loadBootrom(new Uint32Array(bootRom.slice().buffer));
	rp2040.flash.set(flash);
	boot(rp2040, flash, bootRom !== undefined);
	const [uart] = rp2040.uart;
	if (!uart) throw new Error('The RP2040 has no UART');
	const pump = createPump(uart, clock, input);
	// The emulated UART sends at once, so the time for a byte is added here.
	let sending = 0;
	uart.onByte = (byte) => {
		sending += nanosecondsPerByte(uart);
		output.push(byte);
	};

	const { core } = rp2040;

	const nextEnd = (end: number) =>
		input.length > 0 ? Math.min(end, clock.nanos + nanosecondsPerByte(uart)) : end;

	const step = (end: number, tracer?: Tracer) => {
		pump();
		// Otherwise, the first instruction of an interrupt would be part of the step of a debugger.
		if (tracer && core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
		else if (core.waiting) {
			const left = nextEnd(end) - clock.nanos;
			const { nanosToNextAlarm } = clock;
			clock.tick(nanosToNextAlarm > 0 ? Math.min(nanosToNextAlarm, left) : left);
		} else {
			const cycles = core.executeInstruction();
			clock.tick(cycles * nanosecondsPerCycle + sending);
			sending = 0;
		}
	};

	const { exceptionEntry } = core;

	return {
		pins: createPicoPins(rp2040, () => clock.nanos),
		debug: createCortexM0Target(rp2040, flash),
		get asleep() {
			return core.waiting;
		},
		run(nanoseconds, deadline, tracer) {
			core.exceptionEntry = (number) => {
				tracer?.interrupted(core.SP);
				exceptionEntry.call(core, number);
			};
			let isHalted = false;
			const start = clock.nanos;
			const end = start + nanoseconds;
			while (!isHalted && clock.nanos < end && performance.now() < deadline) {
				for (let count = 0; !isHalted && count < stride && clock.nanos < end; count++) {
					step(end, tracer);
					isHalted = tracer?.halts() ?? false;
				}
			}
			return clock.nanos - start;
		},
	};
}

function boot(rp2040: RP2040, flash: Uint8Array, hasBootRom: boolean): void {
	const { core } = rp2040;
	const table = vectorTable(flash);
	if (hasBootRom) core.PC = flashStart;
	else if (table !== undefined) {
		core.VTOR = flashStart + table;
		core.reset();
	}
}

/** The offset of the vector table: at the start of the flash or after the second stage of the boot loader. */
function vectorTable(flash: Uint8Array): number | undefined {
	const view = new DataView(flash.buffer, flash.byteOffset);
	return [0, secondStageSize].find((offset) => {
		const stack = view.getUint32(offset, true);
		const entry = view.getUint32(offset + 4, true);
		const inFlash = entry >= flashStart && entry < flashStart + flashSize;
		const inMemory = entry >= memoryStart && entry < memoryEnd;
		return stack > memoryStart && stack <= memoryEnd && (inFlash || inMemory) && entry % 2 === 1;
	});
}

/** Ten bits at the baud rate that the firmware has set. */
function nanosecondsPerByte(uart: Uart): number {
	const baud = uart.baudDivider > 0 ? uart.baudRate : defaultBaud;
	return 1e10 / Math.max(baud, 300);
}

/** Returns a function that feeds the receiver byte by byte at half the baud rate, so that an echo does not fall behind. */
function createPump(uart: Uart, clock: { readonly nanos: number }, waiting: number[]) {
	let next = 0;
	return () => {
		if (waiting.length === 0 || clock.nanos < next) return;
		if (!uart.enabled || !uart.rxEnabled || !(uart.readUint32(uartFlags) & receiveEmpty)) return;
		uart.feedByte(waiting.shift() ?? 0);
		next = clock.nanos + 2 * nanosecondsPerByte(uart);
	};
}
