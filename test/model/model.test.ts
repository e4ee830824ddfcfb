// Leases in virtual time: generated histories of the real client, service and agent.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { bundle } from './bundle.ts';
import { mutants } from './mutants.ts';
import { findMutants } from './mutants-main.ts';
import { createPool, type Pool } from './pool.ts';

const jobs = 2;
const longest = 600_000;

let pool: Pool;

beforeAll(async () => {
	pool = await createPool(await bundle(), jobs);
}, longest);

afterAll(() => pool.close());

test('leases in generated histories break no rule', {
	timeout: longest,
	tags: 'generated',
}, async () => {
	const seeds = Array.from({ length: runs(6) }, (_, index) => ({ seed: String(1 + index) }));
	const broken: string[] = [];
	await pool.run(seeds, ({ seed, outcome }) => {
		for (const { rule, what } of outcome.violations) broken.push(`seed ${seed}: ${rule}: ${what}`);
	});
	expect(broken).toEqual([]);
});

describe('the model', () => {
	test('produces the same history for a seed, with and without the rounds that it skips', {
		timeout: longest,
		tags: 'long',
	}, async () => {
		const digests: Record<string, number[]> = { '1': [], '2': [] };
		const tasks = Object.keys(digests).flatMap((seed) => [
			{ seed },
			{ seed },
			{ seed, shortcuts: false },
		]);
		await pool.run(tasks, ({ seed, outcome }) => void digests[seed]?.push(outcome.digest));
		for (const [seed, [first, ...others]] of Object.entries(digests)) {
			expect(others, `seed ${seed}`).toEqual([first, first]);
		}
	});

	test('matches the code that its mutants change', async () => {
		for (const { file, from } of mutants.flatMap(({ changes }) => changes)) {
			const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
			expect(text.split(from).length, `${file}: ${from}`).toBe(2);
		}
	});

	test('finds a bug that is put back', { timeout: longest, tags: 'long' }, async () => {
		const word = 'the time of a lease runs from the grant';
		const [found] = await findMutants({ first: 1, most: 50, jobs, word, onFound() {} });
		expect(found?.seed).toBeDefined();
	});
});
