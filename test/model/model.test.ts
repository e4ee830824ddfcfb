// Leases in virtual time: generated histories of the real client, service and agent.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bundles, bundle } from './bundle.ts';
import type { Outcome } from './history.ts';
import { mutants } from './mutants.ts';
import { findMutants } from './mutants-main.ts';
import { createPool, type Pool } from './pool.ts';

const jobs = 2;
const longest = 600_000;

let bundles: Bundles;
let pool: Pool;

beforeAll(async () => {
	bundles = await bundle();
	pool = await createPool(bundles, jobs);
}, longest);

afterAll(() => pool.close());

function seedsFrom(first: number, count: number) {
	return Array.from({ length: count }, (_, index) => ({ seed: String(first + index) }));
}

async function outcomesOf(own: Pool, seeds: { seed: string; shortcuts?: boolean }[]) {
	const outcomes = new Map<string, Outcome>();
	await own.run(seeds, ({ seed, outcome }) => outcomes.set(seed, outcome));
	return outcomes;
}

function brokenRules(outcomes: ReadonlyMap<string, Outcome>) {
	return [...outcomes].flatMap(([seed, { violations }]) =>
		violations.map(({ rule, what }) => `seed ${seed}: ${rule}: ${what}`),
	);
}

describe('leases in generated histories', () => {
	test('break no rule', { timeout: longest }, async () => {
		expect(brokenRules(await outcomesOf(pool, seedsFrom(1, 20)))).toEqual([]);
	});
});

describe('the model', () => {
	test('produces the same history for the same seed', { timeout: longest }, async () => {
		const digests = async () => {
			const outcomes = await outcomesOf(pool, seedsFrom(1, 2));
			return seedsFrom(1, 2).map(({ seed }) => outcomes.get(seed)?.digest);
		};
		expect(await digests()).toEqual(await digests());
	});

	test('skips only rounds that find nothing', { timeout: longest }, async () => {
		const seeds = seedsFrom(1, 2);
		const whole = await outcomesOf(
			pool,
			seeds.map((task) => ({ ...task, shortcuts: false })),
		);
		const shorter = await outcomesOf(pool, seeds);
		for (const { seed } of seeds) {
			expect(shorter.get(seed)?.digest, `seed ${seed}`).toBe(whole.get(seed)?.digest);
		}
	});

	test('matches the code that its mutants change', async () => {
		for (const { file, from } of mutants.flatMap(({ changes }) => changes)) {
			const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
			expect(text.split(from).length, `${file}: ${from}`).toBe(2);
		}
	});

	test('finds a bug that is put back', { timeout: longest }, async () => {
		const word = 'the time of a lease runs from the grant';
		const [found] = await findMutants({ first: 1, most: 50, jobs, word, onFound() {} });
		expect(found?.seed).toBeDefined();
	});
});
