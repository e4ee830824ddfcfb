// Leases in virtual time: generated histories of the real client, service and agent.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { bundle } from './bundle.ts';
import { mutants } from './mutants.ts';
import { findMutants } from './mutants-main.ts';
import { createPool, type Pool } from './pool.ts';
import { commit, describeRun, firstSeedOf } from './report.ts';

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
	const histories = runs(6);
	// The long tests go on after the others.
	const first = firstSeedOf(commit()) + histories - 6;
	const seeds = Array.from({ length: histories }, (_, index) => ({ seed: String(first + index) }));
	const broken: string[] = [];
	const failed = new Map<string, string[]>();
	const began = performance.now();
	await pool.run(seeds, ({ seed, outcome }) => {
		for (const { rule, what } of outcome.violations) {
			broken.push(`seed ${seed}: ${rule}: ${what}`);
			failed.set(rule, [...(failed.get(rule) ?? []), seed]);
		}
	});
	const seconds = (performance.now() - began) / 1_000;
	// A row for docs/model.md.
	console.log(describeRun({ commit: commit(), first, histories, seconds, failed }));
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
