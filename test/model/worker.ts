// A process that runs some histories and is then replaced, because its heap grows with each of them.
import { readFile } from 'node:fs/promises';
import type { Bundles } from './bundle.ts';
import { type Ground, type Outcome, prepareGround, runHistory } from './history.ts';
import { generatePlan, type Plan, sites } from './plan.ts';
import { compile } from './realm.ts';

/** What the worker is asked to run: the plan of a seed, or one that was shrunk. */
export interface Task {
	seed: string;
	plan?: Plan;
	trace?: boolean;
	shortcuts?: boolean;
}

export interface Report {
	seed: string;
	outcome: Outcome;
	/** Processor time, in milliseconds. */
	cost: number;
}

const [file = ''] = process.argv.slice(2);
// Written by the runner.
const scripts = compile(JSON.parse(await readFile(file, 'utf8')) as Bundles);
const grounds: Ground[] = [];
for (const site of sites) grounds.push(await prepareGround(scripts, site));

let crash: (error: unknown) => void = () => {};
process.on('unhandledRejection', (error) => crash(error));
process.on('uncaughtException', (error) => crash(error));
process.on('message', (task: Task) => {
	carryOut(task).catch((error: unknown) => {
		// The model itself is broken: the runner sees that the process has ended.
		console.error(task.seed, error);
		process.exit(1);
	});
});
process.send?.('ready');

async function carryOut({
	seed,
	plan = generatePlan(seed),
	trace = false,
	shortcuts = true,
}: Task) {
	const before = process.cpuUsage();
	// Errors are many, and their stacks cost more than all else of them.
	Error.stackTraceLimit = trace ? 10 : 0;
	const ground = grounds[plan.site];
	if (!ground) throw new Error(`There is no site ${plan.site}`);
	const outcome = await runHistory(scripts, ground, plan, {
		trace,
		shortcuts,
		onCrash: (handler) => {
			crash = handler;
		},
	});
	// A history that left a transaction open leaves the database unusable.
	if (ground.opened.watched.connection.isTransaction) {
		grounds[plan.site] = await prepareGround(scripts, ground.site);
	}
	const { user, system } = process.cpuUsage(before);
	const report: Report = { seed, outcome, cost: (user + system) / 1000 };
	process.send?.(report);
}
