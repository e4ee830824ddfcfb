// npm run model -- --mutants: puts one known bug back at a time, and expects a rule to find it.
import { bundle } from './bundle.ts';
import { leaningPlan } from './leaning.ts';
import { type Mutant, mutants } from './mutants.ts';
import { createPool } from './pool.ts';

export interface Found {
	mutant: Mutant;
	seed: string | undefined;
	rule: string;
	histories: number;
}

/** Runs histories against each mutant until one breaks its rule. */
export async function findMutants(options: {
	first: number;
	most: number;
	jobs: number;
	word: string;
	onFound(found: Found): void;
}): Promise<Found[]> {
	const found: Found[] = [];
	const untouched = await createPool(await bundle(), 1);
	for (const mutant of mutants.filter(({ row, bug }) => `${row} ${bug}`.includes(options.word))) {
		const one = await findMutant(mutant, {
			...options,
			// What the code as it is breaks too says nothing about the mutant.
			holds: async (seed, rule) => {
				const { outcome } = await untouched.runOne(taskOf(mutant, seed));
				return outcome.violations.every((violation) => violation.rule !== rule);
			},
		});
		options.onFound(one);
		found.push(one);
	}
	await untouched.close();
	return found;
}

async function findMutant(
	mutant: Mutant,
	{
		first,
		most,
		jobs,
		holds,
	}: {
		first: number;
		most: number;
		jobs: number;
		holds(seed: string, rule: string): Promise<boolean>;
	},
): Promise<Found> {
	const pool = await createPool(await bundle(mutant.changes), jobs);
	const hits: { seed: string; rule: string }[] = [];
	let histories = 0;
	try {
		for (let next = first; next < first + most; ) {
			const tasks = function* () {
				while (next < first + most) yield taskOf(mutant, String(next++));
			};
			await pool.run(tasks(), ({ seed, outcome }) => {
				histories += 1;
				const hit = outcome.violations.find(({ rule }) => mutant.rules.includes(rule));
				if (hit) hits.push({ seed, rule: hit.rule });
				return !hit;
			});
			for (const { seed, rule } of hits.splice(0)) {
				if (await holds(seed, rule)) return { mutant, seed, rule, histories };
			}
		}
		return { mutant, seed: undefined, rule: '', histories };
	} finally {
		await pool.close();
	}
}

function taskOf({ leaning }: Mutant, seed: string) {
	return { seed, plan: leaningPlan(seed, leaning) };
}
