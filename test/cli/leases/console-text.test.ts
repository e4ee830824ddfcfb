import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWholeLines } from '../../../src/cli/leases/console-output.ts';

describe('console text in JSON', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	const gathering = () => {
		const pieces: string[] = [];
		return { pieces, ...createWholeLines((text) => pieces.push(text)) };
	};

	it('is printed in whole lines, no matter how it arrives', () => {
		const { pieces, add } = gathering();
		for (const text of ['Hel', 'lo\nWor', 'ld\r', '\n\na', 'b\nc']) add(text);
		expect(pieces).toEqual(['Hello\n', 'World\r\n\n', 'ab\n']);
	});

	it('is printed without a line end after a pause, and not before', () => {
		const { pieces, add } = gathering();
		add('log');
		vi.advanceTimersByTime(60);
		add('in: ');
		vi.advanceTimersByTime(60);
		expect(pieces).toEqual([]);
		vi.advanceTimersByTime(60);
		expect(pieces).toEqual(['login: ']);
	});

	it('is printed once, before other output, and does not wait for the end of a very long line', () => {
		const { pieces, add, flush } = gathering();
		add('> ');
		flush();
		flush();
		vi.advanceTimersByTime(1_000);
		for (let count = 0; count < 5; count += 1) add('x'.repeat(1_000));
		expect(pieces).toEqual(['> ', 'x'.repeat(5_000)]);
	});
});
