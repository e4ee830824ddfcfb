// The list of mutants, which nothing else checks until somebody runs it.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readMutants } from '../lab/mutants/read.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const mutants = readMutants();

test('every mutant changes text that occurs once in its file, and names a test', () => {
	const broken = mutants.filter(({ file, from, to, test: name }) => {
		const times = readFileSync(root + file, 'utf8').split(from).length - 1;
		const hasTest = ['core', 'service'].some((folder) => existsSync(`${root}${folder}/${name}`));
		return times !== 1 || from === to || !hasTest;
	});
	expect(mutants.length).toBeGreaterThan(50);
	expect(broken.map(({ rule }) => rule)).toEqual([]);
	expect(new Set(mutants.map(({ rule }) => rule)).size).toBe(mutants.length);
});
