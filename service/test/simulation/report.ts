// The page with the results of the simulations: the cost of each operation, and what they add up to.
import { cpus, totalmem } from 'node:os';
import { circumstances, shown as number, table } from '../siege/report.ts';
import { type Cost, costsOf, nothing, type Resource, resources, sumOf } from './costs.ts';
import { mostUnderWay } from './load.ts';
import { renewEverySeconds } from './plan.ts';
import type { Measurement, Mix, Simulation } from './simulate.ts';

export function report(simulations: readonly Simulation[], command: string, load: string) {
	return `# Scaling: measured costs

${circumstances(command, load)} (${cpus()[0]?.model.trim()}) with ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory, shared by the service, the database, the agents and the users. [Scaling](scaling.md) explains what follows from these figures.

${simulations.map(section).join('\n')}`;
}

function section(simulation: Simulation) {
	const { kind, plan, importSeconds, measurements, mixes, sizes, losses } = simulation;
	const { boards, leases, agents } = plan;
	const largest = Object.entries(sizes)
		.toSorted(([, one], [, other]) => other - one)
		.slice(0, 5)
		.map(([name, megabytes]) => `${name} ${number(megabytes)} MB`);
	return `## ${kind}: ${number(boards)} boards, ${number(leases)} live leases, ${number(agents)} agents

Importing the boards took ${number(importSeconds)} s. At the end, ${losses.length === 0 ? 'every lease was live, and every confirmed console byte was stored' : `**lost: ${losses.join('; ')}**`}. Largest tables: ${largest.join(', ')}.

### Cost of each operation

Processor time, less what the service uses in the background. A dash means that the operation did not stand
out from the background: measure for longer, or on a machine that runs nothing else.

${costTable(measurements, kind)}

### Cores by load

Multiply each row by what you have, and add up the results.

${coreTable(simulation)}

### Capacity

${capacityTable(simulation)}

### All at once

${mixes.map((mix) => mixText(simulation, mix)).join('\n\n')}
`;
}

/** A table of numbers, of which SQLite has only those that are not of the database. */
function numbers(kind: Simulation['kind'], heads: string[], rows: string[][]) {
	const isKept = (head = '') => kind !== 'SQLite' || !/^(database|statements|WAL)/.test(head);
	const kept = (cells: string[]) => cells.filter((_, index) => isKept(heads[index]));
	return table(kept(heads), rows.map(kept), '--:');
}

function costTable(measurements: readonly Measurement[], kind: Simulation['kind']) {
	const { costs, noLeases, background } = costsOf(measurements);
	const cells = (cost: Cost) =>
		resources.map((name) => (cost[name] === 0 ? '–' : number(cost[name])));
	const rows = measurements.flatMap(({ name, count, rejected, p50, p95 }) => {
		const cost = costs.get(name);
		const times = [p50, p95].map((time) => (time === undefined ? '' : number(time)));
		return cost ? [[name, ...cells(cost), ...times, number(count), number(rejected)]] : [];
	});
	const rest = [
		['a second without leases', ...cells(noLeases), '', '', '', ''],
		['a second with all leases idle', ...cells(background), '', '', '', ''],
	];
	const all = 'service, µs|database, µs|statements|WAL, B|p50, ms|p95, ms|count|503s';
	return numbers(kind, ['', ...all.split('|')], [...rows, ...rest]);
}

function coreTable({ kind, plan, measurements }: Simulation) {
	const { costs, noLeases } = costsOf(measurements);
	const boardsEach = number(plan.boards / plan.agents);
	const lines: [string, string | Cost, number][] = [
		[`100 agents with ${boardsEach} boards each`, noLeases, 100 / plan.agents],
		['1,000 leases, renewed every 40 s', 'renew', 1000 / renewEverySeconds],
		['1,000 leases with one console report a second each', 'console report', 1000],
		['1,000 requests that wait for a lease', 'waiting request, second', 1000],
		['1,000 open consoles without output', 'console reader, second', 1000],
		['100 requests a second for a page of boards', 'list boards', 100],
		['100 requests a second for a lease', 'read lease', 100],
		['10 leases a second that begin and end', 'release and create', 10],
	];
	const rows = lines.map(([name, of, times]) => {
		const cost = typeof of === 'string' ? (costs.get(of) ?? nothing) : of;
		const { service, database, statements, wal } = sumOf([[cost, times]]);
		return [name, cores(service), cores(database), number(statements), number(wal / 1e3)];
	});
	const heads = ['', 'service cores', 'database cores', 'statements a second', 'WAL, kB a second'];
	return numbers(kind, heads, rows);
}

/** The share of a core that a process should use at most, so that requests do not queue up. */
const share = 0.7;
const reportRates = [0, 0.1, 1, 5];

/** The total cost of a lease that is used as the page describes. */
function capacityTable({ kind, plan, measurements }: Simulation) {
	const { costs, noLeases } = costsOf(measurements);
	const of = (name: string) => costs.get(name) ?? nothing;
	const rows = reportRates.map((rate) => {
		const lease = sumOf([
			[of('renew'), 1 / renewEverySeconds],
			[of('console report'), rate],
			[of('console reader, second'), 1],
			[of('list boards'), 1 / 100],
			[of('read lease'), 1 / 100],
			[of('release and create'), 1 / 600],
			[noLeases, 1 / plan.leases],
		]);
		const most = (share * 1e6) / lease.service;
		const numbers = [rate, lease.service, lease.database, most].map(number);
		return [
			...numbers,
			((most * lease.database) / 1e6).toFixed(2),
			number((most * lease.wal) / 1e3),
		];
	});
	const heads = [
		'console reports a second per lease',
		'service, µs a second per lease',
		'database, µs a second per lease',
		'leases per process',
		'database cores for these leases',
		'WAL for these leases, kB a second',
	];
	return `What one process handles at ${share} of a core. Each lease is renewed every ${renewEverySeconds} s, has one reader of its console, and lasts ten minutes; for every 100 leases there is one request a second for a page of boards and one for a lease; there are ${number(plan.boards / plan.leases)} boards for each lease and ${number(plan.boards / plan.agents)} for each agent.

${numbers(kind, heads, rows)}`;
}

function cores(microseconds: number) {
	return microseconds === 0 ? '–' : (microseconds / 1e6).toFixed(3);
}

function mixText({ plan, measurements }: Simulation, mix: Mix) {
	const { costs, background } = costsOf(measurements);
	// The beginning and the end of a lease were measured together.
	const costName = (name: string) => (name === 'create' ? 'release and create' : name);
	const parts = mix.operations.map(
		({ name, count }) => [costs.get(costName(name)) ?? nothing, count] as const,
	);
	const expected = sumOf([...parts, [background, mix.seconds]]);
	const inCores = (cost: Cost, of: Resource) => (cost[of] / (mix.seconds * 1e6)).toFixed(2);
	const rates = Object.entries(plan.rates).map(([name, rate]) => `${number(rate)} ${name}`);
	const rows = mix.operations.map(({ name, count, seconds, p50, p95 }) => [
		...[name, number(count / seconds), number(p50), number(p95)],
	]);
	return `${mix.replicas === 1 ? 'One process' : `${mix.replicas} processes`}, for ${number(mix.seconds)} s. Target rates a second: ${rates.join(', ')}. Requests not sent because ${mostUnderWay} were in progress: ${number(mix.leftOut)}. The service used ${inCores(mix, 'service')} cores (the costs above add up to ${inCores(expected, 'service')}), the database ${inCores(mix, 'database')} (${inCores(expected, 'database')}). Memory: ${mix.megabytes.map((each) => `${number(each)} MB`).join(', ')}.

${table(['', 'a second', 'p50, ms', 'p95, ms'], rows, '--:')}`;
}
