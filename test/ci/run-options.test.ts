import { describe, expect, it } from 'vitest';
import { readPattern } from '../../src/ci/run-options.ts';

describe('what the console must show', () => {
	it('is a regular expression between slashes, with flags', () => {
		expect(readPattern('/boot: \\d+/im')).toEqual(/boot: \d+/im);
		expect(readPattern('/a/b/')).toEqual(/a\/b/);
	});

	it.each(['PASS', '/', '//', '/dev/tty0', 'a/b/c'])('is the text %j otherwise', (text) => {
		expect(readPattern(text)).toBe(text);
	});

	it('is an expression without state, whatever flags it has', () => {
		expect(readPattern('/PASS/gi')).toEqual(/PASS/i);
		expect(readPattern('/PASS/dsy')).toEqual(/PASS/ds);
	});

	it.each(['/(/', '/PASS/I', '/PASS/x', '/PASS/ii', '/PASS/uv', '/dev/tty'])(
		'is rejected when it is %s',
		(text) => {
			expect(() => readPattern(text)).toThrow('not a valid regular expression');
		},
	);
});
