import { expect, test } from 'vitest';
import { createOutputLimit, maxOutput } from '../../src/boards/output-limit.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
const output = (length: number) => Buffer.alloc(length, 'x');

test('output within the limit is not changed', () => {
	let now = 0;
	const limit = createOutputLimit(() => now);
	for (; now < 60_000; now += 10) {
		expect(limit.take(output(maxOutput / 100))).toHaveLength(maxOutput / 100);
	}
	expect(limit.dropping).toBe(false);
});

test('output beyond the limit is dropped, and a mark follows once a quarter of the limit is available again', () => {
	let now = 0;
	const limit = createOutputLimit(() => now);
	expect(limit.take(output(maxOutput + 500))).toHaveLength(maxOutput);
	now = 100;
	expect(limit.take(output(10))).toHaveLength(0);
	expect(limit.take()).toHaveLength(0);
	now = 300;
	expect(text(limit.take())).toBe('\r\n[… 510 bytes dropped …]\r\n');
	expect(limit.dropping).toBe(false);
	expect(text(limit.take(output(3)))).toBe('xxx');
});

test('the mark stands where the bytes were dropped', () => {
	let now = 0;
	const limit = createOutputLimit(() => now);
	limit.take(output(maxOutput + 1));
	now = 5_000;
	expect(text(limit.take(output(2)))).toBe('\r\n[… 1 bytes dropped …]\r\nxx');
});

test('the kept and the dropped bytes add up to all of the output', () => {
	let now = 0;
	const limit = createOutputLimit(() => now);
	let passed = '';
	for (; now < 3_000; now += 7) passed += text(limit.take(output(1_000)));
	now += 10_000;
	passed += text(limit.take());
	const dropped = [...passed.matchAll(/… (\d+) bytes/g)].reduce(
		(sum, [, count]) => sum + Number(count),
		0,
	);
	const kept = passed.replaceAll(/\r\n\[[^\]]*\]\r\n/g, '').length;
	expect(kept + dropped).toBe(429 * 1_000);
	expect(kept).toBeLessThanOrEqual(maxOutput * 4);
});
