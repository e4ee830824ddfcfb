// The RP2040 for a debugger, with the registers of its Cortex-M0+.
import type { RP2040 } from 'rp2040js';
import { emulatedFlash } from '../boards.ts';
import {
	type DebugTarget,
	type MemoryRegion,
	memoryOf,
	type Register,
	registerOf,
} from './target.ts';

const { start: flashStart } = emulatedFlash['rp2040-pico'];
const sectorSize = 4096;
const wordSize = 4;

/** Beside the memory: the peripherals, and those of the core. */
const regions = [
	{ type: 'rom', start: 0, size: 0x4000 },
	{ type: 'ram', start: 0x4000_0000, size: 0x2000_0000 },
	{ type: 'ram', start: 0xd000_0000, size: 0x1000 },
	{ type: 'ram', start: 0xe000_0000, size: 0x10_0000 },
] as const;

/** By their numbers in GDB. */
const names = [...Array.from({ length: 13 }, (_, index) => `r${index}`), 'sp', 'lr', 'pc', 'xpsr'];
const types: Readonly<Record<string, string>> = { sp: 'data_ptr', pc: 'code_ptr' };

/** Their numbers in the instructions `mrs` and `msr`. */
const special = { msp: 8, psp: 9, primask: 16, control: 20 };

const describe = (name: string) =>
	`<reg name="${name}" bitsize="32" type="${types[name] ?? 'int'}"/>`;

const description = `<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd">
<target version="1.0"><architecture>arm</architecture>
<feature name="org.gnu.gdb.arm.m-profile">${names.map(describe).join('')}</feature>
<feature name="org.gnu.gdb.arm.m-system">${Object.keys(special).map(describe).join('')}</feature>
</target>`;

/** Flash is written to its copy, too, from which the next machine starts. */
export function createCortexM0Target(rp2040: RP2040, flash: Uint8Array): DebugTarget {
	const { core } = rp2040;
	const words = wordAccess(rp2040);
	const loaded = memoryOf({ type: 'flash', start: flashStart, block: sectorSize }, flash);
	const used = memoryOf({ type: 'flash', start: flashStart }, rp2040.flash);
	return {
		description,
		registers: registersOf(core),
		stopRegisters: [13, 14, 15],
		memory: [
			{
				...loaded,
				read: used.read,
				write(address, bytes) {
					loaded.write(address, bytes);
					used.write(address, bytes);
				},
			},
			memoryOf({ type: 'ram', start: 0x2000_0000 }, rp2040.sram),
			...regions.map((region) => ({ ...region, ...words })),
		],
		state: () => ({ pc: (core.PC & ~1) >>> 0, sp: core.SP, isAsleep: core.waiting }),
		watch: watcherOf(core),
	};
}

function registersOf(core: RP2040['core']): Register[] {
	const programCounter = {
		size: wordSize,
		read: () => core.PC & ~1,
		write(value: number) {
			core.PC = value & ~1;
			core.waiting = false;
		},
	};
	return [
		...names.slice(0, 15).map((_, index) => registerOf(wordSize, core.registers, index)),
		programCounter,
		registerOf(wordSize, core, 'xPSR'),
		...Object.values(special).map((number) => ({
			size: wordSize,
			read: () => core.readSpecialRegister(number),
			write: (value: number) => void core.writeSpecialRegister(number, value),
		})),
	];
}

/** A register of a peripheral is read and written as a whole, if GDB asks for a word. */
function wordAccess(rp2040: RP2040): Pick<MemoryRegion, 'read' | 'write'> {
	return {
		read(address, length) {
			const start = address - (address % wordSize);
			const count = Math.ceil((address + length - start) / wordSize);
			const words = Uint32Array.from({ length: count }, (_, index) =>
				rp2040.readUint32(start + index * wordSize),
			);
			return new Uint8Array(words.buffer, address - start, length);
		},
		write(address, bytes) {
			const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
			for (let at = 0; at < bytes.length; ) {
				const isWord = (address + at) % wordSize === 0 && at + wordSize <= bytes.length;
				if (isWord) rp2040.writeUint32(address + at, view.getUint32(at, true));
				else rp2040.writeUint8(address + at, view.getUint8(at));
				at += isWord ? wordSize : 1;
			}
		},
	};
}

const widths = [8, 16, 32] as const;

function watcherOf(core: RP2040['core']): DebugTarget['watch'] {
	const methods = widths.map((width) => {
		const [reader, writer] = [`readUint${width}`, `writeUint${width}`] as const;
		return { size: width / 8, reader, writer, read: core[reader], write: core[writer] };
	});
	// The counter has moved on when an instruction uses memory.
	const isFetched = (address: number) => address >= core.PC && address <= core.PC + 2;
	return (onAccess) => {
		for (const { size, reader, writer, read, write } of methods) {
			const watchedRead = (address: number) => {
				if (!isFetched(address)) onAccess?.('read', address >>> 0, size);
				return read.call(core, address);
			};
			const watchedWrite = (address: number, value: number) => {
				onAccess?.('write', address >>> 0, size);
				write.call(core, address, value);
			};
			core[reader] = onAccess ? watchedRead : read;
			core[writer] = onAccess ? watchedWrite : write;
		}
	};
}
