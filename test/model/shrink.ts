// Makes a failing plan smaller by leaving parts of it out, as long as it breaks the same rule.

import type { Outcome } from './history.ts';
import type { Plan } from './plan.ts';

const maxRuns = 300;

/** A part that can be left out: the plan without it. */
type Cut = (plan: Plan) => Plan | undefined;

/** Returns the smallest plan that was found, with the faults that happened written into it. */
export async function shrink(
	plan: Plan,
	outcome: Outcome,
	run: (plan: Plan) => Promise<Outcome>,
): Promise<Plan> {
	const rule = outcome.violations[0]?.rule;
	let runs = 0;
	const fails = async (candidate: Plan) => {
		runs += 1;
		const { violations } = await run(candidate);
		return violations.some((violation) => violation.rule === rule);
	};
	let smallest: Plan = { ...plan, requestFaults: { list: outcome.faults } };
	// By chance, the recorded faults alone are not enough.
	if (!(await fails(smallest))) return plan;
	for (let progress = true; progress && runs < maxRuns; ) {
		progress = false;
		for (const cut of cutsOf(smallest)) {
			if (runs >= maxRuns) break;
			const candidate = cut(smallest);
			if (candidate && (await fails(candidate))) {
				smallest = candidate;
				progress = true;
			}
		}
	}
	return smallest;
}

/** The largest parts first. From the end, so that an index still means the same after a cut. */
function cutsOf(plan: Plan): Cut[] {
	const users = backwards(plan.users).map(
		(user): Cut =>
			(now) =>
				now.users.length > 1 ? { ...now, users: without(now.users, user) } : undefined,
	);
	const faults = 'list' in plan.requestFaults ? plan.requestFaults.list : [];
	const parts: Cut[] = [
		...halves(faults).map(
			(kept): Cut =>
				(now) => ({ ...now, requestFaults: { list: kept } }),
		),
		...backwards(plan.troubles).map(
			(trouble): Cut =>
				(now) => ({ ...now, troubles: without(now.troubles, trouble) }),
		),
		...backwards(plan.boardFaults).map(
			(fault): Cut =>
				(now) => ({ ...now, boardFaults: without(now.boardFaults, fault) }),
		),
		...backwards(faults).map(
			(fault): Cut =>
				(now) =>
					'list' in now.requestFaults
						? { ...now, requestFaults: { list: without(now.requestFaults.list, fault) } }
						: undefined,
		),
		(now) => (now.replicas > 1 ? { ...now, replicas: 1 } : undefined),
		(now) => (Object.keys(now.offsets).length > 0 ? { ...now, offsets: {} } : undefined),
		(now) => (now.lostHints > 0 ? { ...now, lostHints: 0 } : undefined),
	];
	return [...users, ...parts, ...jobCuts(plan)];
}

function jobCuts(plan: Plan): Cut[] {
	const cuts: Cut[] = [];
	for (const { name, jobs } of plan.users) {
		for (const job of backwards(jobs)) {
			cuts.push((now) =>
				withJobs(now, name, (own) => (own.length > 1 ? without(own, job) : undefined)),
			);
			for (const step of backwards(job.steps)) {
				cuts.push((now) =>
					withJobs(now, name, (own) =>
						own.map((each) =>
							each.steps.includes(step) ? { ...each, steps: without(each.steps, step) } : each,
						),
					),
				);
			}
		}
	}
	return cuts;
}

type Jobs = Plan['users'][number]['jobs'];

function withJobs(plan: Plan, name: string, change: (jobs: Jobs) => Jobs | undefined) {
	const user = plan.users.find((each) => each.name === name);
	const jobs = user && change(user.jobs);
	if (!user || !jobs || JSON.stringify(jobs) === JSON.stringify(user.jobs)) return undefined;
	return { ...plan, users: plan.users.map((each) => (each === user ? { ...each, jobs } : each)) };
}

function halves<Item>(items: readonly Item[]): Item[][] {
	if (items.length < 2) return items.length === 1 ? [[]] : [];
	const half = items.length >> 1;
	return [[], items.slice(0, half), items.slice(half)];
}

function backwards<Item>(items: readonly Item[]): Item[] {
	return [...items].reverse();
}

function without<Item>(items: readonly Item[], item: Item): Item[] {
	return items.filter((each) => each !== item);
}
