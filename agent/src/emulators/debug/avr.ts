// The ATmega328P for a debugger: GDB sees its flash, its data and its EEPROM at addresses of their own.
import type { CPU } from 'avr8js';
import { type DebugTarget, memoryOf, registerOf } from './target.ts';

const dataStart = 0x80_0000;
const eepromStart = 0x81_0000;
const pageSize = 128;
const status = 95;

interface AvrChip {
	readonly cpu: CPU;
	readonly flash: Uint8Array;
	readonly eeprom: Uint8Array;
	isAsleep(): boolean;
	wake(): void;
}

export function createAvrTarget({ cpu, flash, eeprom, isAsleep, wake }: AvrChip): DebugTarget {
	// A debugger that reads and writes is not watched itself.
	const { readData, writeData } = cpu;
	const data = {
		type: 'ram',
		start: dataStart,
		size: cpu.data.length,
		read: (address: number, length: number) =>
			Uint8Array.from({ length }, (_, index) => readData.call(cpu, address - dataStart + index)),
		write(address: number, bytes: Uint8Array) {
			for (const [index, byte] of bytes.entries()) {
				writeData.call(cpu, address - dataStart + index, byte);
			}
		},
	} as const;
	const programCounter = {
		size: 4,
		read: () => cpu.pc * 2,
		write(value: number) {
			cpu.pc = value >>> 1;
			wake();
		},
	};
	return {
		registers: [
			...[...Array(32).keys(), status].map((address) => registerOf(1, cpu.data, address)),
			registerOf(2, cpu, 'SP'),
			programCounter,
		],
		stopRegisters: [32, 33, 34],
		memory: [
			memoryOf({ type: 'flash', start: 0, block: pageSize }, flash),
			data,
			memoryOf({ type: 'ram', start: eepromStart }, eeprom),
		],
		state: () => ({ pc: cpu.pc * 2, sp: cpu.SP, isAsleep: isAsleep() }),
		watch(onAccess) {
			const watchedRead: typeof readData = (address) => {
				onAccess?.('read', dataStart + address, 1);
				return readData.call(cpu, address);
			};
			const watchedWrite: typeof writeData = (address, value, mask) => {
				onAccess?.('write', dataStart + address, 1);
				writeData.call(cpu, address, value, mask);
			};
			cpu.readData = onAccess ? watchedRead : readData;
			cpu.writeData = onAccess ? watchedWrite : writeData;
		},
	};
}
