// A session of RFC 2217, byte by byte.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rfc2217Session, type Step } from '../../src/forward/rfc2217.ts';
import { usualLine } from '../support/remote-serial.ts';

const [se, sb, will, wont, doIt, dont, iac] = [240, 250, 251, 252, 253, 254, 255] as const;
const [binary, echo, suppressGoAhead, comPort, terminalType] = [0, 1, 3, 44, 24] as const;
const ask = (...bytes: number[]) => [iac, sb, comPort, ...bytes, iac, se];

const line = { ...usualLine, cts: true };

/** What becomes of the bytes: data as it is, and of each request its change and reply. */
function outcomeOf(steps: Step[]) {
	return steps.map((step) => {
		if (step.type === 'data') return [...step.bytes];
		if (step.type === 'flow') return step.isSuspended;
		return [step.change, [...step.reply({ ...line, ...step.change })]];
	});
}

const receive = (...bytes: number[]) =>
	outcomeOf(new Rfc2217Session().receive(Uint8Array.from(bytes)));

test.each([
	['a speed', [1, 0, 1, 194, 0], { baud: 115_200 }, [101, 0, 1, 194, 0]],
	[
		'a speed with a doubled 255',
		[1, 0, 0, iac, iac, iac, iac],
		{ baud: 65_535 },
		[101, 0, 0, iac, iac, iac, iac],
	],
	['a question for the speed', [1, 0, 0, 0, 0], {}, [101, 0, 1, 194, 0]],
	['a speed that is cut', [1, 9], {}, [101, 0, 1, 194, 0]],
	['a data size', [2, 7], { dataBits: 7 }, [102, 7]],
	['a question for the data size', [2, 0], {}, [102, 8]],
	['a data size that does not exist', [2, 9], {}, [102, 8]],
	['a parity', [3, 5], { parity: 'space' }, [103, 5]],
	['a question for the parity', [3, 0], {}, [103, 1]],
	['a parity that does not exist', [3, 6], {}, [103, 1]],
	['stop bits', [4, 3], { stopBits: 1.5 }, [104, 3]],
	['a question for the stop bits', [4, 0], {}, [104, 1]],
	['no flow control', [5, 1], {}, [105, 1]],
	['flow control, which no port has', [5, 3], {}, [105, 1]],
	['inbound flow control', [5, 16], {}, [105, 14]],
	['a break', [5, 5], { break: true }, [105, 5]],
	['the end of a break', [5, 6], { break: false }, [105, 6]],
	['a question for DTR', [5, 7], {}, [105, 8]],
	['DTR on', [5, 8], { dtr: true }, [105, 8]],
	['DTR off', [5, 9], { dtr: false }, [105, 9]],
	['a question for RTS', [5, 10], {}, [105, 11]],
	['RTS off', [5, 12], { rts: false }, [105, 12]],
	['a poll of the line', [6], {}, [106, 0]],
	['a poll of the modem lines', [7], {}, [107, 17]],
	['a mask for the line', [10, 255, 255], {}, [110, 255, 255]],
	['a mask for the modem lines', [11, 255, 255], {}, [111, 255, 255]],
	['a purge of what the tool has not read', [12, 1], {}, [112, 1]],
	['a purge of what the board has not read', [12, 2], { purge: true }, [112, 2]],
	['a purge of both', [12, 3], { purge: true }, [112, 3]],
	['a question for the signature', [0], {}, [100, ...Buffer.from('board-access')]],
])('replies to %s', (_, bytes, change, reply) => {
	expect(receive(...ask(...bytes))).toEqual([[change, ask(...reply)]]);
});

test.each([
	['will', will, comPort, [doIt, comPort]],
	['will', will, binary, [doIt, binary]],
	['will not echo, for', will, echo, [dont, echo]],
	['is told that the port echoes, for', doIt, echo, [will, echo]],
	['will', doIt, suppressGoAhead, [will, suppressGoAhead]],
	['is refused', doIt, terminalType, [wont, terminalType]],
	['is refused', will, terminalType, [dont, terminalType]],
])('a tool %s: %i %i', (_, verb, option, [agreement = 0, agreed = 0]) => {
	const modem = option === comPort ? ask(107, 17) : [];
	expect(receive(iac, verb, option)).toEqual([[{}, [iac, agreement, agreed, ...modem]]]);
});

test('what is agreed, and a refusal of what was never agreed, need no reply', () => {
	const session = new Rfc2217Session();
	const send = (...bytes: number[]) => outcomeOf(session.receive(Uint8Array.from(bytes)));
	send(iac, doIt, binary);
	expect(send(iac, doIt, binary, iac, wont, echo, iac, dont, terminalType)).toEqual([]);
	expect(send(iac, dont, binary)).toEqual([[{}, [iac, wont, binary]]]);
	expect(send(iac, dont, binary)).toEqual([]);
});

test('changes and data stay in order', () => {
	expect(receive(1, ...ask(5, 8), 2, iac, iac, ...ask(8), 3, ...ask(9))).toEqual([
		[1],
		[{ dtr: true }, ask(105, 8)],
		[2, iac],
		true,
		[3],
		false,
	]);
});

test('modem lines are told when they change, if the tool has agreed and wants them', () => {
	const session = new Rfc2217Session();
	const send = (...bytes: number[]) => outcomeOf(session.receive(Uint8Array.from(bytes)));
	expect(session.notice(line)).toBeUndefined();
	send(iac, will, comPort);
	expect(session.notice(line)).toBeUndefined();
	expect(session.notice({ ...line, cts: false, cd: true })).toEqual(
		Uint8Array.from(ask(107, 128 + 8 + 1)),
	);
	send(...ask(11, 16));
	expect(session.notice({ ...line, cts: false })).toBeUndefined();
	expect(session.notice(line)).toEqual(Uint8Array.from(ask(107, 16)));
});

// Mostly what telnet gives a meaning.
const hostileByte = fc.oneof(
	fc.constantFrom(iac, se, sb, will, doIt, comPort, 1, 5, 12, 0),
	fc.integer({ min: 0, max: 255 }),
);
const hostileBytes = fc.array(hostileByte, { maxLength: 300 });

/** Data that were split are joined. */
function joined(outcome: ReturnType<typeof outcomeOf>) {
	return JSON.stringify(outcome).replaceAll(/(?<=\d)\],\[(?=\d)/g, ',');
}

test('bytes mean the same wherever they are split', { tags: 'generated' }, () => {
	fc.assert(
		fc.property(hostileBytes, fc.array(fc.nat(300)), (bytes, places) => {
			const [whole, split] = [new Rfc2217Session(), new Rfc2217Session()];
			const ends = [...places.filter((place) => place <= bytes.length), bytes.length];
			const pieces = ends.toSorted((one, other) => one - other);
			const steps = pieces.flatMap((end, index) =>
				split.receive(Uint8Array.from(bytes.slice(pieces[index - 1] ?? 0, end))),
			);
			const all = whole.receive(Uint8Array.from(bytes));
			expect(joined(outcomeOf(steps))).toBe(joined(outcomeOf(all)));
		}),
	);
});

test('data pass exactly, whatever they are', { tags: 'generated' }, () => {
	fc.assert(
		fc.property(fc.uint8Array(), (data) => {
			expect(receive(...new Rfc2217Session().encode(data))).toEqual(
				data.length > 0 ? [[...data]] : [],
			);
		}),
	);
});

test('two sessions that reply to each other stop', { tags: 'generated' }, () => {
	fc.assert(
		fc.property(hostileBytes, (bytes) => {
			const [one, other] = [new Rfc2217Session(), new Rfc2217Session()];
			const repliesOf = (session: Rfc2217Session, received: Uint8Array) =>
				Buffer.concat(
					session
						.receive(received)
						.map((step) => (step.type === 'request' ? step.reply(line) : new Uint8Array())),
				);
			let waiting: Uint8Array = Uint8Array.from(bytes);
			for (let round = 0; round < 10; round++) {
				waiting = repliesOf(other, repliesOf(one, waiting));
			}
			expect(waiting).toHaveLength(0);
		}),
	);
});

test('a subnegotiation without end needs no memory', () => {
	const session = new Rfc2217Session();
	const before = process.memoryUsage().heapUsed;
	session.receive(Uint8Array.of(iac, sb));
	const piece = new Uint8Array(65_536).fill(7);
	for (let count = 0; count < 1_000; count++) expect(session.receive(piece)).toEqual([]);
	expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000);
});
