// An Arduino Uno: an ATmega328P at 16 MHz, by avr8js.
import {
	AVRADC,
	AVRClock,
	AVREEPROM,
	AVRIOPort,
	AVRSPI,
	AVRTimer,
	AVRTWI,
	AVRUSART,
	AVRWatchdog,
	adcConfig,
	avrInstruction,
	CPU,
	clockConfig,
	EEPROMMemoryBackend,
	spiConfig,
	timer0Config,
	timer1Config,
	timer2Config,
	twiConfig,
	usart0Config,
	watchdogConfig,
} from 'avr8js';
import { type EmulatedComputer, emulatedFlash, type Machine, type SerialPort } from './boards.ts';
import { createAvrTarget } from './debug/avr.ts';
import type { Tracer } from './debug/target.ts';
import { UnoBootLoader, withBootLoader } from './uno-boot-loader.ts';
import { createUnoPins, unoPorts } from './uno-pins.ts';
import { watchLoops } from './waiting-loop.ts';

const frequency = 16_000_000;
const nanosecondsPerCycle = 1e9 / frequency;
const sramSize = 2048;
const eepromSize = 1024;

const sleepInstruction = 0x9588;
const sleepControl = 0x53;
const sleepEnable = 1;
const bitsPerByte = 10;
const receiveComplete = 0x80;
const returnAddressSize = 2;

/** How many cycles the chip runs before it takes input. */
const stride = 8192;

export function createArduinoUno(): EmulatedComputer {
	const serial = { input: [], output: [] };
	const flash = new Uint8Array(emulatedFlash['arduino-uno'].size).fill(0xff);
	const eeprom = new EEPROMMemoryBackend(eepromSize);
	const start = () => startChip(flash, eeprom, serial);
	const isBootable = () => flash[0] !== 0xff || flash[1] !== 0xff;
	return {
		flash,
		serial,
		isBootable,
		start,
		startBootLoader() {
			const loader = new UnoBootLoader({ flash, eeprom: eeprom.memory });
			return withBootLoader(start(), { loader, serial, isBootable });
		},
		erase() {
			flash.fill(0xff);
			eeprom.memory.fill(0xff);
		},
	};
}

function startChip(
	flash: Uint8Array<ArrayBuffer>,
	eeprom: EEPROMMemoryBackend,
	{ input, output }: SerialPort,
): Machine {
	const cpu = new CPU(new Uint16Array(flash.buffer), sramSize);
	const { usart, adc, ports } = addPeripherals(cpu, eeprom);
	const traffic = { sent: false, received: false };
	usart.onByteTransmit = (byte) => {
		traffic.sent = true;
		output.push(byte);
	};
	usart.onRxComplete = () => {
		traffic.received = true;
	};
	const pump = createPump(cpu, usart, input);
	const waits = watchLoops(cpu, () => nextEvent(cpu));
	let asleep = false;

	const step = (end: number, tracer?: Tracer) => {
		if (asleep) skipToEvent(cpu, end);
		else if (
			cpu.progMem[cpu.pc] === sleepInstruction &&
			readByte(cpu, sleepControl) & sleepEnable
		) {
			cpu.pc += 1;
			cpu.cycles += 1;
			asleep = true;
		} else {
			const from = cpu.pc;
			avrInstruction(cpu);
			if (cpu.pc <= from && waits()) skipToEvent(cpu, end);
		}
		const before = cpu.pc;
		cpu.tick();
		if (cpu.pc !== before) {
			asleep = false;
			tracer?.interrupted(cpu.SP + returnAddressSize);
		}
	};

	const now = () => cpu.cycles * nanosecondsPerCycle;
	return {
		pins: createUnoPins({ cpu, adc, ports, traffic, now }),
		get asleep() {
			return asleep;
		},
		debug: createAvrTarget({
			cpu,
			flash,
			eeprom: eeprom.memory,
			isAsleep: () => asleep,
			wake() {
				asleep = false;
			},
		}),
		run(nanoseconds, deadline, tracer) {
			const start = cpu.cycles;
			const end = start + nanoseconds / nanosecondsPerCycle;
			let isHalted = false;
			while (!isHalted && cpu.cycles < end && performance.now() < deadline) {
				pump();
				const next = Math.min(end, cpu.cycles + stride);
				// A loop of its own, so that a board without a debugger does not pay for it.
				if (tracer === undefined) while (cpu.cycles < next) step(next);
				while (cpu.cycles < next && !isHalted) {
					step(next, tracer);
					isHalted = tracer?.halts() ?? false;
				}
			}
			return (cpu.cycles - start) * nanosecondsPerCycle;
		},
	};
}

/** avr8js does not implement sleep, so firmware that sleeps would cost as much as firmware that works. */
function skipToEvent(cpu: CPU, end: number): void {
	cpu.cycles = Math.max(cpu.cycles + 1, Math.ceil(Math.min(nextEvent(cpu), end)));
}

function nextEvent(cpu: CPU): number {
	// Only the types of avr8js make this private; there is no public way to look ahead.
	const { nextClockEvent } = cpu as unknown as { nextClockEvent: { cycles: number } | null };
	return nextClockEvent?.cycles ?? Number.POSITIVE_INFINITY;
}

function addPeripherals(cpu: CPU, eeprom: EEPROMMemoryBackend) {
	const ports = unoPorts.map((port) => ({ ...port, port: new AVRIOPort(cpu, port.config) }));
	for (const config of [timer0Config, timer1Config, timer2Config]) new AVRTimer(cpu, config);
	new AVREEPROM(cpu, eeprom);
	new AVRSPI(cpu, spiConfig, frequency);
	new AVRTWI(cpu, twiConfig, frequency);
	new AVRWatchdog(cpu, watchdogConfig, new AVRClock(cpu, frequency, clockConfig));
	const usart = new AVRUSART(cpu, usart0Config, frequency);
	return { ports, adc: new AVRADC(cpu, adcConfig), usart };
}

/**
 * Returns a function that feeds the receiver byte by byte at half the baud rate, so that firmware that echoes does
 * not fall behind. A byte is sent again if avr8js drops it when the firmware changes an interrupt setting.
 */
function createPump(cpu: CPU, usart: AVRUSART, waiting: number[]) {
	let unread: number | undefined;
	let notBefore = 0;
	const read = cpu.readHooks[usart0Config.UDR];
	cpu.readHooks[usart0Config.UDR] = (address) => {
		const value = read?.(address) ?? 0;
		if (!usart.rxBusy) {
			unread = undefined;
			const gap = Math.ceil((bitsPerByte * frequency) / usart.baudRate);
			notBefore = cpu.cycles + gap;
			if (waiting.length > 0) cpu.addClockEvent(pump, gap);
		}
		return value;
	};
	const pump = () => {
		if (unread !== undefined) {
			const flagged = readByte(cpu, usart0Config.UCSRA) & receiveComplete;
			if (!usart.rxBusy && !flagged) usart.writeByte(unread, true);
		} else if (cpu.cycles >= notBefore && waiting.length > 0 && usart.writeByte(waiting[0] ?? 0)) {
			unread = waiting.shift();
		}
	};
	return pump;
}

function readByte(cpu: CPU, address: number): number {
	return cpu.data[address] ?? 0;
}
