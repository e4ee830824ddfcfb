// The table of faults names tests; this one holds that they are there.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const textOf = (path: string) =>
	readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

const table = textOf('docs/faults.md');
const named = [...table.matchAll(/\| `([^`]+)` › (.+) \|$/gm)].map(([, file = '', title = '']) => ({
	file,
	title,
}));

test('every row names a test', () => {
	const rows = table.split('\n').filter((line) => /^\| (?!---|Fault)/.test(line));
	expect(named).toHaveLength(rows.length);
});

test.each(named)('$file › $title', ({ file, title }) => {
	const calls = ["'", '"', '`'].map((quote) => `(${quote}${title}${quote},`);
	const text = textOf(file);
	expect(calls.some((call) => text.includes(call))).toBe(true);
});
