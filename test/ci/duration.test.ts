import { describe, expect, it } from 'vitest';
import { readDuration } from '../../src/ci/duration.ts';

describe('a duration', () => {
	it.each([
		['500ms', 500],
		['90s', 90_000],
		['1.5m', 90_000],
		['24h', 86_400_000],
		['1d', 86_400_000],
		['30', 30_000],
		['0', 0],
		[' 2m ', 120_000],
	])('%j is %i ms', (text, milliseconds) => {
		expect(readDuration(text)).toBe(milliseconds);
	});

	it.each(['', '2d', 'd', '-1s', '1m30s', '25h', 'soon', '1e3'])('cannot be %j', (text) => {
		expect(() => readDuration(text)).toThrow('such as 90s or 10m; the longest is 24h');
	});

	it('may be longer if the caller allows it', () => {
		expect(readDuration('90d', '3650d')).toBe(90 * 86_400_000);
		expect(() => readDuration('3651d', '3650d')).toThrow('the longest is 3650d');
	});
});
