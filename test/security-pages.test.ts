// The security pages name tests that exist, and the checklist has every requirement of the standard once.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const inProject = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (page: string) => readFileSync(inProject(page), 'utf8');
const checklist = read('docs/security-checklist.md');

/**
 * Levels 1 and 2 of OWASP ASVS 5.0.0: by section, the highest number. The requirements of level 3 are the last ones
 * of each section.
 */
const highest: Record<string, number> = {
	...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2 },
	...{ '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
	...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2 },
	...{ '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
	...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3 },
	...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
	...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
	...{ '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
	...{ '9.1': 3, '9.2': 4 },
	...{ '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3 },
	...{ '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
	...{ '12.1': 3, '12.2': 2, '12.3': 4 },
	...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5 },
	...{ '14.1': 2, '14.2': 4, '14.3': 3 },
	...{ '15.1': 3, '15.2': 3, '15.3': 7 },
	...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
	...{ '17.1': 1, '17.2': 4, '17.3': 2 },
};

const required = Object.entries(highest).flatMap(([section, last]) => numbersOf(section, 1, last));

/** The rows of the standard: `1.2.6–1.2.8, 1.2.9` and whether they are met. */
const rows = [
	...checklist.matchAll(/^\| ([\d., –]+) \| [^|]+ \| ([^|]+) \| [^|]+ \|[^|]*\|$/gm),
].map(([, numbers = '', met = '']) => ({ numbers: expand(numbers), met: met.replaceAll('*', '') }));

function expand(text: string) {
	return text.split(', ').flatMap((range) => {
		const [first = '', last = first] = range.split('–');
		const section = first.slice(0, first.lastIndexOf('.'));
		const [from, to] = [first, last].map((number) => Number(number.split('.').at(-1)));
		return numbersOf(section, from ?? 0, to ?? 0);
	});
}

function numbersOf(section: string, from: number, to: number) {
	return Array.from({ length: to - from + 1 }, (_, index) => `${section}.${from + index}`);
}

test('the checklist has every requirement of levels 1 and 2 once', () => {
	expect(required).toHaveLength(253);
	expect(rows.flatMap(({ numbers }) => numbers)).toEqual(required);
});

test('the checklist counts its answers', () => {
	const count = (wanted: string) =>
		rows.filter(({ met }) => met === wanted).flatMap(({ numbers }) => numbers).length;
	const [yes, partly, no, none] = ['yes', 'partly', 'no', 'n/a'].map(count);
	expect(checklist).toContain(
		`Of the 253 requirements, ${yes} are met, ${partly} partly and ${no} not; ${none} do not apply.`,
	);
	expect((yes ?? 0) + (partly ?? 0) + (no ?? 0) + (none ?? 0)).toBe(253);
});

describe.each(['docs/security-checklist.md', 'docs/threat-model.md', 'SECURITY.md'])(
	'%s',
	(page) => {
		test('names only tests that exist', () => {
			const tests = [...read(page).matchAll(/`((?:service\/|agent\/)?test\/[\w./-]*)`/g)];
			expect(tests.length).toBeGreaterThan(20);
			const missing = tests
				.map(([, path = '']) => path)
				.filter((path) => !existsSync(inProject(path)));
			expect(missing).toEqual([]);
		});
	},
);

test('every promise of the threat model names its test', () => {
	const promises = read('docs/threat-model.md').matchAll(/^- \*\*(.*?)(?=\n- |\n\n)/gms);
	const texts = [...promises].map(([text]) => text.replaceAll(/\s+/g, ' '));
	expect(texts.length).toBeGreaterThan(15);
	expect(texts.filter((text) => !/`(\w+\/)?test\/[^`]+`$/.test(text))).toEqual([]);
});
