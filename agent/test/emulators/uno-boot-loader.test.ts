// The boot loader of an emulated Uno, byte by byte.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createArduinoUno } from '../../src/emulators/arduino-uno.ts';
import type { Tracer } from '../../src/emulators/debug/target.ts';
import { UnoBootLoader, withBootLoader } from '../../src/emulators/uno-boot-loader.ts';

const end = 0x20;
const sync = [0x30, end];
const done = [0x14, 0x10];

function start() {
	const [flash, eeprom] = [new Uint8Array(32 * 1024), new Uint8Array(1024)];
	const loader = new UnoBootLoader({ flash, eeprom });
	const send = (...bytes: number[]) => {
		const input = [...bytes];
		return { replies: loader.take(input), left: input };
	};
	return { loader, flash, eeprom, send };
}

test('commands are answered once they are whole', () => {
	const { send } = start();
	expect(send(0x30)).toEqual({ replies: [], left: [0x30] });
	expect(send(...sync, ...sync, 0x75)).toEqual({ replies: [...done, ...done], left: [0x75] });
	expect(send(0x75, end).replies).toEqual([0x14, 0x1e, 0x95, 0x0f, 0x10]);
	expect(send(0x41, 0x81, end).replies).toEqual([0x14, 4, 0x10]);
	expect(send(0x56, 0xac, 0x80, 0, 0, end).replies).toEqual([0x14, 0, 0x10]);
	expect(send(0x42, ...Array(20).fill(0), end).replies).toEqual(done);
	expect(send(0x45, 5, 4, 0xd7, 0xc2, 0, end).replies).toEqual(done);
	expect(send(0x50, end).replies).toEqual(done);
});

test('pages are written and read at the address, which counts words', () => {
	const { send, flash, eeprom } = start();
	send(...sync, 0x55, 0x40, 0x01, end, 0x64, 0, 3, 0x46, 7, 8, 9, end);
	expect([...flash.subarray(0x280, 0x284)]).toEqual([7, 8, 9, 0]);
	expect(send(0x74, 0, 2, 0x46, end).replies).toEqual([0x14, 7, 8, 0x10]);
	send(0x55, 1, 0, end, 0x64, 0, 1, 0x45, 5, end);
	expect([...eeprom.subarray(0, 4)]).toEqual([0, 0, 5, 0]);
});

test('anything else that comes first is for the firmware, all of it', () => {
	const { loader, send } = start();
	expect(send(...Buffer.from('hello'))).toEqual({ replies: [], left: [...Buffer.from('hello')] });
	expect(loader.isFinished).toBe(true);
	const other = start();
	expect(other.send(0x30, 0x31)).toEqual({ replies: [], left: [0x30, 0x31] });
	expect(other.loader.isFinished).toBe(true);
});

test('what follows the end of programming is for the firmware', () => {
	const { loader, send } = start();
	expect(send(...sync, 0x51, end, 0x30)).toEqual({ replies: [...done, ...done], left: [0x30] });
	expect(loader.isFinished).toBe(true);
});

test('hostile bytes write nothing beyond the memory', { tags: 'generated' }, () => {
	const byte = fc.oneof(
		fc.constantFrom(end, 0x30, 0x55, 0x64, 0x74, 0x45, 0, 1, 0xff),
		fc.integer({ min: 0, max: 255 }),
	);
	fc.assert(
		fc.property(fc.array(byte, { maxLength: 500 }), (bytes) => {
			const { send } = start();
			send(...sync, ...bytes);
		}),
	);
});

test('the firmware starts a second after the last command', () => {
	const record: number[] = [];
	const tracers: (Tracer | undefined)[] = [];
	const chip = {
		pins: { sample: () => ({ leds: {}, pins: {} }), drive() {}, rest() {} },
		asleep: false,
		debug: createArduinoUno().start().debug,
		run(nanoseconds: number, _: number, tracer?: Tracer) {
			tracers.push(tracer);
			record.push(nanoseconds);
			return nanoseconds;
		},
	};
	const serial = { input: [] as number[], output: [] as number[] };
	const { loader } = start();
	const machine = withBootLoader(chip, { loader, serial, isBootable: () => true });
	machine.run(9e8, 0);
	serial.input.push(...sync);
	machine.run(5e8, 0);
	machine.run(9e8, 0);
	expect(serial.output).toEqual(done);
	expect(record).toEqual([]);
	machine.run(2e8, 0);
	const tracer: Tracer = { halts: () => false, interrupted() {} };
	machine.run(1, 0, tracer);
	expect(record).toEqual([1]);
	// Otherwise a debugger would miss its breakpoints after a reset by the line.
	expect(tracers).toEqual([tracer]);
});
