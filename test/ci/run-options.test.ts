import { describe, expect, it } from 'vitest';
import { readPattern } from '../../src/ci/run-options.ts';

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
