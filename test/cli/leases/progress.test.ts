// Messages of ours between pieces of a console: neither the log of a CI system nor the output alone holds a command.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createProgress } from '../../../src/cli/leases/progress.ts';
import { createPrintable } from '../../../src/contract/printable.ts';
import { attacks, obeys } from '../../support/runners.ts';

const unreachable = { event: 'unreachable', message: 'The service cannot be reached' } as const;
const expected = { event: 'expected', pattern: 'ready', matched: 'ready' } as const;
const sent = { event: 'step', step: 'send 6 bytes' } as const;
const step = Symbol('a step that is done');
const message = Symbol('a message of ours');
const found = Symbol('a match');

/** What the log shows, and what standard output holds alone. */
function logOf(pieces: readonly (string | symbol)[], isTTY: boolean) {
	const log = { merged: '', alone: '' };
	const stdout = {
		isTTY,
		write(text: string) {
			log.merged += text;
			log.alone += text;
		},
	};
	const stderr = {
		isTTY: false,
		write(text: string) {
			log.merged += text;
		},
	};
	const io = { stdout, stderr, env: {} } as unknown as Parameters<typeof createProgress>[1];
	const progress = createProgress({ color: false }, io);
	for (const piece of pieces) {
		if (piece === found) progress.show(expected);
		else if (piece === step) progress.show(sent);
		else if (typeof piece === 'symbol') progress.show(unreachable);
		else progress.show({ event: 'console', text: piece, bytes: new Uint8Array() });
	}
	progress.show(unreachable);
	return log;
}

it.each([true, false])('a message ends the line of the console, on a terminal: %s', (isTTY) => {
	const { merged, alone } = logOf(['boot ', message, '::add-mask::x\n'], isTTY);
	expect(obeys(merged)).toEqual([]);
	expect(obeys(alone)).toEqual([]);
});

it.each([true, false])(
	'a line of the console stays whole beside steps, on a terminal: %s',
	(isTTY) => {
		const { merged, alone } = logOf(['> ', found, 'H', step, 'ello\nnext', 'line\n'], isTTY);
		const steps = 'Found ready\nDone: send 6 bytes\n';
		const end = 'The service cannot be reached\n';
		expect(merged).toBe(`> Hello\n${steps}nextline\n${end}`);
		expect(alone).toBe('> Hello\nnextline\n');
	},
);

it('a message that cannot wait begins a line, where both streams are in one log', () => {
	const { merged, alone } = logOf(['# ', found, message, 'ls\n'], false);
	expect(merged).toMatch(/^# \nFound ready\nThe service cannot be reached\nls\n/);
	expect(alone).toBe('# ls\n');
});

it('no firmware has a command in the log, whatever is printed in between', () => {
	const pieces = fc.array(
		fc.oneof(
			fc.constant(message),
			fc.constantFrom(found, step),
			fc
				.tuple(fc.constantFrom(...attacks), fc.nat(40), fc.nat(40))
				.map(([attack, from, length]) => attack.slice(from, from + length)),
			fc.constantFrom(
				...['\r', '\n', ' ', ':', '::', '#', '##', '[', 'vso[', '-', '--', '\x1b]', 'x'],
			),
		),
		{ maxLength: 12 },
	);
	fc.assert(
		fc.property(pieces, fc.boolean(), (all, isTTY) => {
			const { merged, alone } = logOf(all, isTTY);
			expect(obeys(merged)).toEqual([]);
			expect(obeys(alone)).toEqual([]);
		}),
		{ numRuns: 5_000 },
	);
});

it('text that is no command stays as it is beside messages', () => {
	expect(logOf(['boot ', message, 'done\n', '> ', message], false).alone).toBe('boot done\n> ');
});

it.each(['-', '+'])('a group without a name is none, in chunks: %s', (mark) => {
	const lines = createPrintable();
	const printed = [mark.repeat(3), '\r', '\n'].map(lines.add).join('') + lines.end();
	expect(obeys(printed)).toEqual([]);
});
