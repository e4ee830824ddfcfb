import { expect, test } from 'vitest';
import { createArduinoUno } from '../../src/emulators/arduino-uno.ts';

const code = (...words: number[]) => new Uint8Array(Uint16Array.from(words).buffer);

function createUno(firmware: Uint8Array) {
	const sent: number[] = [];
	const computer = createArduinoUno((byte) => sent.push(byte));
	computer.flash.set(firmware);
	const machine = computer.start();
	const run = (milliseconds: number) => {
		const nanoseconds = machine.run(milliseconds * 1e6, Number.POSITIVE_INFINITY);
		return { nanoseconds, text: Buffer.from(sent).toString('latin1') };
	};
	return { machine, run };
}

/** Enables the port, waits 8 ms, sets its interrupts again, then echoes. */
const resetsInterrupts = code(
	0xe118, // ldi r17, RXEN | TXEN
	...[0x9310, 0x00c1], // sts UCSR0B, r17
	...[0xe080, 0xe890, 0x9701, 0xf7f1], // r25:r24 = 0x8000; count down to 0
	...[0x9310, 0x00c1], // sts UCSR0B, r17
	...[0x9100, 0x00c0, 0xff07, 0xcffc], // wait for RXC in UCSR0A
	...[0x9100, 0x00c6, 0x9300, 0x00c6, 0xcff7], // UDR0 = UDR0, again
);

test('a byte that arrives before the firmware sets its interrupts is not lost', () => {
	const { machine, run } = createUno(resetsInterrupts);
	run(1);
	machine.input(Buffer.from('abc'));
	expect(run(4).text).toBe('');
	expect(run(20).text).toBe('abc');
});

test('input waits until the firmware enables its receiver', () => {
	const late = code(0xe080, 0xe890, 0x9701, 0xf7f1); // 8 ms before anything else
	const { machine, run } = createUno(Buffer.concat([late, resetsInterrupts]));
	machine.input(Buffer.from('early'));
	expect(run(40).text).toBe('early');
});

test('no input is dropped, and what the firmware has not read is counted', () => {
	const { machine, run } = createUno(resetsInterrupts);
	const input = 'abcdefg'.repeat(10_000);
	machine.input(Buffer.from(input));
	const { text } = run(700);
	expect(text.length).toBeGreaterThan(0);
	expect(machine.unread).toBe(input.length - text.length - 1); // one byte is on its way
	expect(run(1_600).text).toBe(input);
	expect(machine.unread).toBe(0);
});

test('emulated time advances as requested, whether the firmware works or sleeps', () => {
	const sleeps = code(0xe001, 0xbf03, 0x9588, 0xcffe);
	for (const firmware of [code(0xcfff), sleeps]) {
		const { nanoseconds } = createUno(firmware).run(10);
		expect(nanoseconds).toBeGreaterThanOrEqual(10e6);
		expect(nanoseconds).toBeLessThan(10.01e6);
	}
});
