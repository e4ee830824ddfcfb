// The remote protocol of GDB, packet by packet.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArduinoUno } from '../../../src/emulators/arduino-uno.ts';
import type { EmulatedComputer } from '../../../src/emulators/boards.ts';
import { packetOf } from '../../../src/emulators/debug/packets.ts';
import { GdbStub } from '../../../src/emulators/debug/stub.ts';
import { createPico } from '../../../src/emulators/rp2040-pico.ts';

const code = (...words: number[]) => new Uint8Array(Uint16Array.from(words).buffer);

/** Counts in r16, stores it at 0x100, reads it back. */
const counter = code(0x9503, 0x9300, 0x0100, 0x9110, 0x0100, 0xcffa);

function start(computer: EmulatedComputer = createArduinoUno(), firmware = counter) {
	computer.flash.set(firmware);
	let machine = computer.start();
	let sent = '';
	const stub = new GdbStub(machine.debug, {
		output(bytes) {
			sent += Buffer.from(bytes).toString('latin1');
		},
		reset() {
			machine = computer.start();
			stub.control.replaceTarget(machine.debug);
		},
		flashed() {},
	});
	const receive = (text: string) => {
		sent = '';
		stub.receive(Buffer.from(text, 'latin1'));
		return sent;
	};
	return {
		stub,
		receive,
		/** Asks, lets the board run for a while unless it is halted, and returns the reply without its frame. */
		ask(packet: string, nanoseconds = 10_000) {
			receive(packetOf(packet));
			if (!stub.control.isHalted)
				machine.run(nanoseconds, Number.POSITIVE_INFINITY, stub.control.tracer);
			return sent.replace(/^\+/, '').replace(/^\$(.*)#..$/s, '$1');
		},
	};
}

const at = (address: number) => {
	const hex = address.toString(16).padStart(4, '0');
	return `22:${hex.slice(2)}${hex.slice(0, 2)}0000;`;
};
const stopped = (address: number, reason = '') => `T05${reason}20:00;21:ff08;${at(address)}`;

describe('a session', () => {
	test('acknowledges until it is told not to, and repeats what was lost', () => {
		const { receive } = start();
		expect(receive('$qC#b4')).toBe('+$QC1#c5');
		expect(receive('-')).toBe('$QC1#c5');
		expect(receive('$qC#b5')).toBe('-');
		expect(receive('+$QStartNoAckMode#b0')).toBe('+$OK#9a');
		expect(receive('+$qC#b4')).toBe('$QC1#c5');
		expect(receive('$qC#b5')).toBe('');
	});

	test('begins with what the stub supports', () => {
		const { ask } = start();
		expect(ask('qSupported:multiprocess+;swbreak+')).toBe(
			'PacketSize=1000;QStartNoAckMode+;vContSupported+;qXfer:memory-map:read+',
		);
		expect(ask('vCont?')).toBe('vCont;c;C;s;S;r');
		expect(ask('vMustReplyEmpty')).toBe('');
		expect(ask('qXfer:memory-map:read::0,10')).toBe('m<memory-map><mem');
		expect(ask('qXfer:memory-map:read::10,1000')).toMatch(/^lory type="flash" .*<\/memory-map>$/);
	});

	test('halts, steps, and halts at breakpoints that are not in the flash', () => {
		const { stub, ask } = start();
		expect(ask('?')).toBe(stopped(0));
		expect(ask('s')).toBe(stopped(2));
		expect(ask('vCont;s:1')).toBe(stopped(6));
		expect(ask('Z0,2,2')).toBe('OK');
		expect(ask('m0,4')).toBe('03950093');
		expect(ask('vCont;c')).toBe(stopped(2));
		expect(ask('z0,2,2')).toBe('OK');
		expect(ask('c')).toBe('');
		expect(stub.control.isHalted).toBe(false);
	});

	test('steps until the program counter leaves a range', () => {
		const { ask } = start();
		ask('?');
		expect(ask('vCont;r0,a:1')).toBe(stopped(10));
		expect(ask('p10')).toBe('01');
	});

	test('halts after a write, a read or either', () => {
		const { ask } = start();
		ask('?');
		expect(ask('Z2,800100,1')).toBe('OK');
		expect(ask('c')).toBe(stopped(6, 'watch:800100;'));
		expect(ask('z2,800100,1')).toBe('OK');
		expect(ask('Z3,8000ff,2')).toBe('OK');
		expect(ask('c')).toBe(stopped(10, 'rwatch:8000ff;'));
		ask('z3,8000ff,2');
		ask('Z4,800100,1');
		expect(ask('c')).toBe(stopped(6, 'awatch:800100;'));
		expect(ask('c')).toBe(stopped(10, 'awatch:800100;'));
	});

	test('halts a chip that sleeps or waits in a loop', () => {
		const vectors = new Array(0x30).fill(0x9518); // reti
		const main = [
			...[0xe001, 0xbd05, 0x9300, 0x006e], // TCCR0B = 1; TIMSK0 = 1
			...[0xbf03, 0x9478], // SMCR = SE; sei
			...[0x9588, 0x9503], // sleep; inc r16
			...[0x9100, 0x0100, 0xff00, 0xcffc], // wait for a bit at 0x100
			0x0000,
		];
		const { ask } = start(createArduinoUno(), code(0xc02f, ...vectors.slice(1), ...main));
		ask('?');
		ask('Z1,40,2'); // the overflow of the timer
		expect(ask('c', 100_000)).toMatch(/22:40000000;$/);
		ask('z1,40,2');
		ask('Z1,6e,2');
		expect(ask('c')).toMatch(/22:6e000000;$/);
		ask('z1,6e,2');
		ask('Z1,78,2');
		expect(ask('c', 1e8)).toBe('');
		ask('?');
		ask('M800100,1:01');
		expect(ask('c', 1e8)).toMatch(/22:78000000;$/);
	});

	test('reads and writes registers and memory', () => {
		const { ask } = start();
		ask('?');
		expect(ask('P10=7f')).toBe('OK');
		expect(ask('p10')).toBe('7f');
		expect(ask('P22=04000000')).toBe('OK');
		expect(ask('p22')).toBe('04000000');
		expect(ask('g')).toMatch(/^(00){16}7f(00){15}00ff0804000000$/);
		expect(ask(`G${'11'.repeat(32)}80fe0802000000`)).toBe('OK');
		expect(ask('g')).toBe(`${'11'.repeat(32)}80fe0802000000`);
		expect(ask('M800200,3:010203')).toBe('OK');
		expect(ask('X800203,2:}\x03#')).toBe('OK');
		expect(ask('m800200,5')).toBe('0102037d03');
		expect(ask('p99')).toBe('E01');
		expect(ask('m900000,1')).toBe('E01');
		expect(ask('M0,1:00')).toBe('E01');
	});

	test('writes the flash when a program is loaded', () => {
		const { ask } = start();
		ask('?');
		expect(ask('vFlashErase:0,80')).toBe('OK');
		expect(ask('vFlashWrite:0:\x03\x95#$}*')).toBe('OK');
		expect(ask('vFlashDone')).toBe('OK');
		expect(ask('m0,8')).toBe('039523247d2affff');
		expect(ask('vFlashErase:7f80,100')).toBe('E01');
	});

	test('ignores Ctrl-C while halted, and halts with the signal of Ctrl-C', () => {
		const { receive, ask } = start();
		ask('?');
		expect(receive('\x03')).toBe('');
		ask('c');
		expect(receive('\x03')).toMatch(/^\$T02/);
	});

	test('leaves no breakpoint behind', () => {
		const { stub, ask } = start();
		ask('?');
		ask('Z1,2,2');
		ask('Z2,800100,1');
		expect(ask('D')).toBe('OK');
		expect(stub.control.isHalted).toBe(false);
		expect(stub.control.tracer).toBeUndefined();
	});

	test('keeps breakpoints over a reset', () => {
		const { stub, ask } = start();
		ask('?');
		ask('Z1,2,2');
		ask('s');
		expect(ask(`qRcmd,${Buffer.from('reset halt').toString('hex')}`)).toBe('OK');
		expect(stub.control.isHalted).toBe(true);
		expect(ask('p22')).toBe('00000000');
		expect(ask('c')).toBe(stopped(2));
	});

	test('has room for a limited number of breakpoints', () => {
		const { ask } = start();
		ask('?');
		const replies = Array.from({ length: 300 }, (_, index) =>
			ask(`Z1,${(index * 2).toString(16)},2`),
		);
		expect(replies.filter((reply) => reply === 'OK')).toHaveLength(256);
		expect(replies.at(-1)).toBe('E01');
	});

	test('describes a Cortex-M, whose peripherals are read in words', () => {
		const { ask } = start(createPico(undefined), new Uint8Array());
		ask('?');
		const description = ask('qXfer:features:read:target.xml:0,1000');
		expect(description).toMatch(/^l<\?xml.*org\.gnu\.gdb\.arm\.m-profile.*<\/target>$/s);
		expect(ask('M20000000,8:0102030405060708')).toBe('OK');
		expect(ask('m20000002,4')).toBe('03040506');
		expect(ask('M40034024,4:43000000')).toBe('OK');
		expect(ask('m40034025,3')).toBe('000000');
		expect(ask('m40034024,4')).toBe('43000000');
		expect(ask('g')).toHaveLength(2 * 4 * 21);
	});
});

describe('whatever arrives', { tags: 'generated' }, () => {
	const beginnings = [
		'g',
		'G',
		'p',
		'P',
		'm',
		'M',
		'X',
		'Z0,',
		'z',
		'c',
		's',
		'vCont;',
		'vFlash',
		'q',
	];
	const packets = fc
		.tuple(
			fc.constantFrom(...beginnings, 'vFlashErase:', 'vCont;r', 'qRcmd,'),
			fc.stringMatching(/^[\da-f,:=]{0,20}$/),
		)
		.map((parts) => Buffer.from(packetOf(parts.join('')), 'latin1'));
	const garbage = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
	const streams = fc.array(fc.oneof(packets, garbage), { maxLength: 20 }).map(Buffer.concat);

	test.each([createArduinoUno, () => createPico(undefined)])(
		'the stub does not throw',
		(create) => {
			fc.assert(
				fc.property(streams, (stream) => {
					const { receive, stub } = start(create());
					receive(stream.toString('latin1'));
					stub.control.detach();
					expect(stub.control.isHalted).toBe(false);
				}),
				{ numRuns: 60 },
			);
		},
	);

	test('bytes mean the same wherever they are split', () => {
		fc.assert(
			fc.property(streams, fc.integer({ min: 1, max: 7 }), (stream, size) => {
				const text = stream.toString('latin1');
				const [whole, split] = [start(), start()];
				let sent = '';
				for (let from = 0; from < text.length; from += size) {
					sent += split.receive(text.slice(from, from + size));
				}
				expect(sent).toBe(whole.receive(text));
			}),
			{ numRuns: 60 },
		);
	});

	test('a packet without an end is dropped', () => {
		const { receive } = start();
		expect(receive(`$${'m'.repeat(5000)}`)).toBe('-');
		expect(receive('$qC#b4')).toBe('+$QC1#c5');
	});
});
