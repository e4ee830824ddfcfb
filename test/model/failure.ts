// A failing history, shrunk to a readable size.
import type { Outcome } from './history.ts';
import { generatePlan, type Plan } from './plan.ts';
import type { Pool } from './pool.ts';
import { shrink } from './shrink.ts';

export interface Failure {
	seed: string;
	plan: Plan;
	outcome: Outcome;
}

/** Runs a seed again, and shrinks what breaks the rule. */
export async function findFailure(pool: Pool, seed: string, rule: string): Promise<Failure> {
	const plan = generatePlan(seed);
	const { outcome } = await pool.runOne({ seed });
	const own = { ...outcome, violations: outcome.violations.filter((each) => each.rule === rule) };
	const run = async (candidate: Plan) => (await pool.runOne({ seed, plan: candidate })).outcome;
	const smallest = await shrink(plan, own, run);
	const traced = await pool.runOne({ seed, plan: smallest, trace: true });
	return { seed, plan: smallest, outcome: traced.outcome };
}

/** The seed, the plan and what happened, as text. */
export function describeFailure({ seed, plan, outcome }: Failure): string {
	return [
		`\n=== seed ${seed}: ${outcome.violations.map(({ rule, what }) => `${rule}: ${what}`).join('\n    ')}`,
		JSON.stringify(plan),
		...(outcome.lines ?? []),
	].join('\n');
}
