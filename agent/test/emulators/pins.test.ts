// The pins of the emulated boards, with the firmware that uses them.
import { readFile } from 'node:fs/promises';
import { placeFirmware, readFirmware } from 'board-access-contract/firmware';
import { describe, expect, test } from 'vitest';
import { createArduinoUno } from '../../src/emulators/arduino-uno.ts';
import { emulatedFlash } from '../../src/emulators/boards.ts';
import { PinMeter } from '../../src/emulators/pins.ts';
import { createPico } from '../../src/emulators/rp2040-pico.ts';

const boards = {
	uno: { create: createArduinoUno, flash: emulatedFlash['arduino-uno'], file: 'uno-pins.hex' },
	pico: {
		create: () => createPico(undefined),
		flash: emulatedFlash['rp2040-pico'],
		file: 'pico-pins.uf2',
	},
};

async function start(board: keyof typeof boards) {
	const { create, flash, file } = boards[board];
	const computer = create();
	const firmware = await readFile(new URL(`../../firmware/${file}`, import.meta.url));
	for (const { address, data } of placeFirmware(readFirmware(firmware), flash, 0)) {
		computer.flash.set(data, address);
	}
	const machine = computer.start();
	const run = (milliseconds: number) => {
		computer.serial.output.length = 0;
		machine.run(milliseconds * 1e6, Number.POSITIVE_INFINITY);
		return Buffer.from(computer.serial.output).toString();
	};
	return { run, pins: machine.pins };
}

test('the LED of an Uno is on for half of each second, and its level is that of the pin', async () => {
	const { run, pins } = await start('uno');
	run(60);
	pins.sample();
	const levels = Array.from({ length: 20 }, () => {
		run(50);
		const { pins: sampled, leds } = pins.sample();
		expect(leds.L).toBe(sampled.D13?.high);
		return sampled.D13?.high ?? 0;
	});

	expect(levels.filter((level) => level === 1).length).toBeGreaterThanOrEqual(8);
	expect(levels.filter((level) => level === 0).length).toBeGreaterThanOrEqual(8);
});

test('the pulses of a timer have their share and their frequency', async () => {
	const { run, pins } = await start('uno');
	pins.drive({ A0: 2.5 });
	run(100);
	pins.sample();
	run(100);

	expect(pins.sample().pins.D3).toEqual({ mode: 'pwm', high: 0.5, hz: 490 });
	pins.drive({});
	run(200);
	pins.sample();
	run(50);
	expect(pins.sample().pins.D3?.high).toBe(0);
});

test.each([
	{ board: 'uno', button: 'D2', copy: 'D7', pot: 'A0', volts: 5, highest: 1023 },
	{ board: 'pico', button: 'GP15', copy: 'GP14', pot: 'GP26', volts: 3.3, highest: 4095 },
] as const)('the firmware of a $board reads what drives its pins', async (pins) => {
	const { run, pins: chip } = await start(pins.board);
	expect(run(500)).toContain('pot:0 button:0');
	expect(chip.sample().pins).toMatchObject({
		[pins.button]: { mode: 'pull_up', high: 1 },
		[pins.copy]: { mode: 'out', high: 0 },
		[pins.pot]: { mode: 'analog', volts: 0 },
	});

	chip.drive({ [pins.button]: 0, [pins.pot]: pins.volts });
	expect(run(500)).toContain(`pot:${pins.highest} button:1`);
	chip.sample();
	run(50);
	expect(chip.sample().pins).toMatchObject({
		[pins.button]: { mode: 'pull_up', high: 0 },
		[pins.copy]: { mode: 'out', high: 1 },
		[pins.pot]: { mode: 'analog', volts: pins.volts },
	});
});

test('the LED and the pulses of a Pico are measured', async () => {
	const { run, pins } = await start('pico');
	pins.drive({ GP26: 1.65 });
	run(1_000);
	pins.sample();
	run(1_000);

	const { pins: sampled, leds } = pins.sample();
	expect(leds).toEqual({ GP25: sampled.GP25?.high });
	expect(leds.GP25).toBeCloseTo(0.5, 1);
	expect(sampled.GP16).toMatchObject({ mode: 'pwm', high: 0.5, hz: 500 });
});

test('pins that the firmware does not use are left out, unless they are driven', async () => {
	const { run, pins } = await start('uno');
	run(100);
	const used = Object.keys(pins.sample().pins);

	expect(used).toEqual(['D2', 'D3', 'D7', 'D13', 'A0']);
	pins.drive({ D5: 5 });
	expect(pins.sample().pins.D5).toEqual({ mode: 'in', high: 1 });
	// One that can measure a voltage has one, even if the firmware does not measure it.
	pins.drive({ A1: 3.3 });
	expect(pins.sample().pins.A1).toEqual({ mode: 'in', high: 1, volts: 3.3 });
});

test('a board that is no longer measured begins again with the present level', async () => {
	const { run, pins } = await start('uno');
	pins.sample();
	pins.rest();
	run(1_000);

	expect(pins.sample().pins.D13?.high).toBeOneOf([0, 1]);
});

describe('a signal', () => {
	test('that changes within a sample is high for a share of it', () => {
		const meter = new PinMeter(false, 0);
		meter.set(true, 40);
		expect(meter.take(100)).toEqual({ high: 0.6 });
		meter.set(false, 130);
		expect(meter.take(200)).toEqual({ high: 0.3 });
		expect(meter.take(300)).toEqual({ high: 0 });
	});

	test('that repeats is measured over whole periods', () => {
		const meter = new PinMeter(false, 0);
		for (let at = 1e6; at < 20e6; at += 2e6) {
			meter.set(true, at);
			meter.set(false, at + 0.5e6);
		}
		expect(meter.take(20e6)).toEqual({ high: 0.25, hz: 500 });
	});
});
