import { expect, test } from 'vitest';
import { createArduinoUno } from '../../src/emulators/arduino-uno.ts';

const code = (...words: number[]) => new Uint8Array(Uint16Array.from(words).buffer);

function createUno(firmware: Uint8Array) {
	const computer = createArduinoUno();
	const { input, output } = computer.serial;
	computer.flash.set(firmware);
	const machine = computer.start();
	const run = (milliseconds: number) => {
		const nanoseconds = machine.run(milliseconds * 1e6, Number.POSITIVE_INFINITY);
		return { nanoseconds, text: Buffer.from(output).toString('latin1') };
	};
	return { input, run };
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
	const { input, run } = createUno(resetsInterrupts);
	run(1);
	input.push(...Buffer.from('abc'));
	expect(run(4).text).toBe('');
	expect(run(20).text).toBe('abc');
});

test('input waits until the firmware enables its receiver', () => {
	const late = code(0xe080, 0xe890, 0x9701, 0xf7f1); // 8 ms before anything else
	const { input, run } = createUno(Buffer.concat([late, resetsInterrupts]));
	input.push(...Buffer.from('early'));
	expect(run(40).text).toBe('early');
});

test('no input is dropped, and what the firmware has not read is counted', { tags: 'long' }, () => {
	const { input, run } = createUno(resetsInterrupts);
	const typed = 'abcdefg'.repeat(10_000);
	input.push(...Buffer.from(typed));
	const { text } = run(700);
	expect(text.length).toBeGreaterThan(0);
	expect(input.length).toBe(typed.length - text.length - 1); // one byte is on its way
	expect(run(1_600).text).toBe(typed);
	expect(input.length).toBe(0);
});

test('emulated time advances as requested, whether the firmware works or sleeps', () => {
	const sleeps = code(0xe001, 0xbf03, 0x9588, 0xcffe);
	for (const firmware of [code(0xcfff), sleeps]) {
		const { nanoseconds } = createUno(firmware).run(10);
		expect(nanoseconds).toBeGreaterThanOrEqual(10e6);
		expect(nanoseconds).toBeLessThan(10.01e6);
	}
});

/** Sends `U` whenever the byte before is sent. */
const flood = code(
	...[0xe100, 0x9300, 0x00c4], // UBRR0 = 16
	...[0xe002, 0x9300, 0x00c0, 0xe008, 0x9300, 0x00c1], // UCSR0A = U2X0; UCSR0B = TXEN0
	...[0xe505, 0x9180, 0x00c0, 0xff85, 0xcffc, 0x9300, 0x00c6, 0xcff9], // wait for UDRE0; UDR0 = r16
);

test('firmware that waits to send costs far less than firmware that computes, and is as fast as on the chip', {
	tags: 'long',
}, () => {
	const costOf = (firmware: Uint8Array) => {
		const { run } = createUno(firmware);
		run(500);
		const before = process.cpuUsage();
		const { text } = run(1_000);
		return { text, cost: process.cpuUsage(before).user };
	};
	const { text, cost } = costOf(flood);
	expect(text.length / 1.5).toBeGreaterThan((16e6 / 8 / 17 / 10) * 0.99);
	const computes = code(0x9503, 0xcffe); // inc r16, again
	expect(cost).toBeLessThan(costOf(computes).cost / 2);
});

test('firmware that waits for a timer sees every count of it', { tags: 'long' }, () => {
	const { run } = createUno(
		code(
			...[0xe005, 0xbd05], // TCCR0B = 1/1024
			...[0xb516, 0x3614, 0xf7e9, 0xe704, 0x9300, 0x00c6], // wait for TCNT0 == 100, send `t`
			...[0xb516, 0x3614, 0xf3e9, 0xcff6], // wait for the next count, again
		),
	);
	expect(run(1_000).text).toBe('t'.repeat(61));
});

test.each([
	['resets', 0x95a8, 's'],
	['does not reset', 0x0000, 'sssss'],
])('firmware that waits and %s the watchdog', (_, instruction, text) => {
	const { run } = createUno(
		code(
			...[0xe703, 0x9300, 0x00c6], // send `s`
			...[0xe108, 0x9300, 0x0060, 0xe008, 0x9300, 0x0060], // a watchdog of 16 ms
			...[instruction, 0xcffe],
		),
	);
	expect(run(70).text).toBe(text);
});
