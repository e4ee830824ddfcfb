// How the control lines of a serial port reset a board.
import { describe, expect, test } from 'vitest';
import { type LineReset, lineSteps } from '../../src/consoles/line.ts';

const [d0r0, d0r1, d1r0, d1r1] = [
	{ dtr: false, rts: false },
	{ dtr: false, rts: true },
	{ dtr: true, rts: false },
	{ dtr: true, rts: true },
];
const states = [d0r0, d0r1, d1r0, d1r1];
const bootLoader = [
	{ ...d0r1, time: 100 },
	{ ...d1r0, time: 50 },
	{ ...d0r0, time: 0 },
];

/** What a tool does to the lines, one after the other, and what the port does. */
function driven(reset: LineReset, changes: (typeof d0r0)[]) {
	return changes.slice(1).map((after, index) => lineSteps(reset, changes[index] ?? after, after));
}

const passed = (changes: (typeof d0r0)[]) =>
	changes.slice(1).map((lines) => [{ ...lines, time: 0 }]);

describe('esp', () => {
	test('the sequence of esptool becomes one with the times of the agent', () => {
		const sequence = [d1r1, d0r1, d1r1, d1r0, d0r0];
		expect(driven('esp', sequence)).toEqual([
			[{ ...d0r1, time: 0 }],
			bootLoader,
			[{ ...d1r0, time: 0 }],
			[{ ...d0r0, time: 0 }],
		]);
	});

	test('the same if the tool changes both lines at once', () => {
		expect(driven('esp', [d0r1, d1r0])).toEqual([bootLoader]);
	});

	test('a hard reset is RTS alone', () => {
		const sequence = [d0r0, d0r1, d0r0];
		expect(driven('esp', sequence)).toEqual(passed(sequence));
	});

	test('a tool that opens the port raises DTR, then RTS, which resets nothing', () => {
		const sequence = [d0r0, d1r0, d1r1];
		expect(driven('esp', sequence)).toEqual(passed(sequence));
	});
});

describe('arduino', () => {
	test.each([
		[d0r0, d1r1],
		[d0r0, d1r0],
		[d0r1, d1r1],
	])('DTR that is raised from %j has been off for long enough', (before, after) => {
		expect(lineSteps('arduino', before, after)).toEqual([
			{ ...before, time: 100 },
			{ ...after, time: 0 },
		]);
	});

	test('other changes are passed on', () => {
		const sequence = [d1r1, d1r0, d1r1, d0r1, d0r0];
		expect(driven('arduino', sequence)).toEqual(passed(sequence));
	});
});

test('without a reset, all changes are passed on', () => {
	for (const before of states) {
		for (const after of states) {
			expect(lineSteps('none', before, after)).toEqual([{ ...after, time: 0 }]);
		}
	}
});
