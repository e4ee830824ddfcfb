// The agents and users of a simulation, in their own process: node load-child.ts
import { setTimeout as wait } from 'node:timers/promises';
import { rejections } from '../siege/attacks/send.ts';
import { createAgents } from './agents.ts';
import type { LoadState, LoadTask, Paced } from './load.ts';
import { createOperations, type OperationName } from './operations.ts';

let agents: ReturnType<typeof createAgents>;
let users: ReturnType<typeof createOperations>;
const origins: string[] = [];
let holding: { cut: AbortController; ended: Promise<number[]> } | undefined;

/** Sends requests over a few connections as fast as responses arrive, for a time or a number of times. */
async function asFastAsPossible({
	name,
	connections,
	...until
}: Extract<LoadTask, { kind: 'repeat' }>): Promise<Paced> {
	const times: number[] = [];
	const end = performance.now() + (until.seconds ?? Number.POSITIVE_INFINITY) * 1000;
	let begun = 0;
	const work = async () => {
		while (begun < (until.times ?? Number.POSITIVE_INFINITY) && performance.now() < end) {
			begun += 1;
			await timed(name, times);
		}
	};
	const startedAt = performance.now();
	await Promise.all(Array.from({ length: connections }, work));
	return summary(times, (performance.now() - startedAt) / 1000);
}

const mostUnderWay = 500;

/** Sends requests at fixed rates, however slow the responses; skips and counts those that would pile up. */
async function atRates({ rates, seconds }: Extract<LoadTask, { kind: 'mix' }>) {
	const names = Object.keys(rates) as OperationName[]; // the type of the task says so
	const times = Object.fromEntries(names.map((name) => [name, [] as number[]]));
	const begun = Object.fromEntries(names.map((name) => [name, 0]));
	const underWay = new Set<Promise<void>>();
	let leftOut = 0;
	const startedAt = performance.now();
	for (;;) {
		const passed = (performance.now() - startedAt) / 1000;
		if (passed >= seconds) break;
		for (const name of names) {
			const due = Math.floor((rates[name] ?? 0) * passed);
			for (; (begun[name] ?? 0) < due; begun[name] = (begun[name] ?? 0) + 1) {
				if (underWay.size >= mostUnderWay) {
					leftOut += 1;
					continue;
				}
				const one = timed(name, times[name] ?? []).finally(() => underWay.delete(one));
				underWay.add(one);
			}
		}
		await wait(5);
	}
	await Promise.all(underWay);
	const took = (performance.now() - startedAt) / 1000;
	return {
		leftOut,
		operations: Object.fromEntries(names.map((name) => [name, summary(times[name] ?? [], took)])),
	};
}

async function timed(name: OperationName, times: number[]) {
	const startedAt = performance.now();
	await users.operations[name]();
	times.push(performance.now() - startedAt);
}

function summary(times: number[], seconds: number): Paced {
	times.sort((one, other) => one - other);
	const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
	return { operations: times.length, seconds, p50: at(0.5), p95: at(0.95) };
}

/** Starts requests that stay open: waits for leases, or readers of their consoles. */
function hold({ what, count }: Extract<LoadTask, { kind: 'hold' }>) {
	const cut = new AbortController();
	const one = what === 'wait' ? users.wait : users.read;
	const open = users.held.slice(0, count).map((lease) => one(lease, cut.signal));
	holding = { cut, ended: Promise.all(open).then((all) => all.map((bytes) => bytes ?? 0)) };
	holding.ended.catch(() => {});
}

async function endHold() {
	holding?.cut.abort();
	const bytes = (await holding?.ended) ?? [];
	holding = undefined;
	return bytes.reduce((sum, each) => sum + each, 0);
}

function state(): LoadState {
	if (agents.failure()) throw agents.failure();
	return {
		...agents.counts,
		rejections: rejections.count,
		held: users.held.length,
		known: agents.leases.size,
		consoleBytes: users.totals.consoleBytes,
	};
}

async function carryOut(task: LoadTask) {
	switch (task.kind) {
		case 'open':
			agents = createAgents(task.population.agents);
			users = createOperations(task.population, { ...task, origins, agents });
			return;
		case 'connect':
			agents.disconnect();
			origins.splice(0, origins.length, ...task.origins);
			users.moveTo(task.origins);
			return agents.connect(task.origins);
		case 'repeat':
			return asFastAsPossible(task);
		case 'mix':
			return atRates(task);
		case 'hold':
			return hold(task);
		case 'let go':
			return endHold();
		case 'state':
			return state();
	}
}

// The parent process is the only sender.
process.on('message', async (task: LoadTask) => {
	try {
		process.send?.({ result: await carryOut(task) });
	} catch (error) {
		process.send?.({ failure: error instanceof Error ? error.message : String(error) });
	}
});
process.once('disconnect', () => process.exit());
