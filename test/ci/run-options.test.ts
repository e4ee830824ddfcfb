import { describe, expect, it } from 'vitest';
import { readDuration, readPattern } from '../../src/ci/run-options.ts';

describe('a duration', () => {
	it.each([
		['500ms', 500],
		['90s', 90_000],
		['1.5m', 90_000],
		['24h', 86_400_000],
		['30', 30_000],
		['0', 0],
		[' 2m ', 120_000],
	])('%j is %i ms', (text, milliseconds) => {
		expect(readDuration(text)).toBe(milliseconds);
	});

	it.each(['', '1d', '-1s', '1m30s', '25h', 'soon', '1e3'])('cannot be %j', (text) => {
		expect(() => readDuration(text)).toThrow('such as 30s or 10m');
	});
});

describe('what the console must show', () => {
	it('is a regular expression between slashes, with flags', () => {
		expect(readPattern('/boot: \\d+/im')).toEqual(/boot: \d+/im);
		expect(readPattern('/a/b/')).toEqual(/a\/b/);
	});

	it.each(['PASS', '/', '//', '/dev/tty', 'a/b/c'])('is the text %j otherwise', (text) => {
		expect(readPattern(text)).toBe(text);
	});

	it('is refused when the regular expression is invalid', () => {
		expect(() => readPattern('/(/')).toThrow('not a valid regular expression');
	});
});
