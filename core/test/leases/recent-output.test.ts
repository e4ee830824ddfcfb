// Readers that are fed from memory with what their replica has just stored.
import { expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { addRecent, keepRecent, recentFrom } from '../../src/leases/console/recent.ts';

function openRecent() {
	// Only its identity counts.
	const database = {} as Database;
	const add = (offset: number, text: string, fence = 1) => {
		const data = Buffer.from(text);
		addRecent(database, { leaseId: 'lse_1', fence, offset, data, time: 1_000 + offset });
	};
	const recent = (from: number, fence = 1) =>
		recentFrom(database, { leaseId: 'lse_1', fence, from });
	const read = (from: number, fence = 1) => recent(from, fence)?.data.toString();
	const times = (from: number) => recent(from)?.times;
	return { keep: () => keepRecent(database, 'lse_1'), add, read, times };
}

test('output is kept while somebody reads it', () => {
	const { keep, add, read } = openRecent();
	add(0, 'unread');
	const ends = [keep(), keep()];
	expect(read(0)).toBeUndefined();
	add(6, 'one ');
	add(10, 'two');
	expect([read(0), read(6), read(8), read(13)]).toEqual([undefined, 'one two', 'e two', undefined]);
	ends.pop()?.();
	expect(read(6)).toBe('one two');
	ends.pop()?.();
	expect(read(6)).toBeUndefined();
	add(13, 'unread');
	expect(read(13)).toBeUndefined();
});

test('each report is kept with its time, as long as a byte of it is kept', () => {
	const { keep, add, times } = openRecent();
	keep();
	add(0, 'one ');
	add(4, 'two');
	const [one, two] = [
		[0, 1_000],
		[4, 1_004],
	];
	expect([times(0), times(3), times(4), times(6)]).toEqual([[one, two], [one, two], [two], [two]]);
	add(7, 'x'.repeat(16 * 1024 - 2));
	expect(times(5)).toEqual([two, [7, 1_007]]);
	add(9, 'restart');
	expect(times(9)).toEqual([[9, 1_009]]);
});

test('output that does not follow what is kept replaces it', () => {
	const { keep, add, read } = openRecent();
	keep();
	add(0, 'one');
	// In between, the agent was connected to another replica.
	add(9, 'two');
	expect([read(0), read(3), read(9)]).toEqual([undefined, undefined, 'two']);
	// What was stored first may be added last.
	add(3, 'mid');
	expect([read(3), read(9)]).toEqual(['mid', undefined]);
});

test('the console of the next board is never taken for that of the board before', () => {
	const { keep, add, read } = openRecent();
	keep();
	add(0, 'before', 1);
	add(0, 'behind', 2);
	add(6, ' next', 2);
	expect([read(6, 1), read(3, 1), read(6, 2)]).toEqual([undefined, undefined, ' next']);
	add(11, 'late', 1);
	expect(read(11, 2)).toBeUndefined();
});

test('a reader that is slow finds only the last output, but always the last report', () => {
	const { keep, add, read } = openRecent();
	keep();
	const report = 'x'.repeat(10 * 1024);
	for (let count = 0; count < 3; count += 1) add(count * report.length, report);
	expect(read(report.length)).toBeUndefined();
	expect(read(3 * report.length - 16 * 1024)?.length).toBe(16 * 1024);
	add(3 * report.length, 'y'.repeat(60 * 1024));
	expect(read(3 * report.length)?.length).toBe(60 * 1024);
});
