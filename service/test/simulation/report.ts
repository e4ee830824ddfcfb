// The page with the results of the simulations: the cost of each operation, and what they add up to.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { costsOf, nothing, sumOf, type UnitCost } from './costs.ts';
import { renewEverySeconds } from './plan.ts';
import type { Measurement, MixedMeasurement, Simulation } from './simulate.ts';

export function report(simulations: readonly Simulation[], { command, commit }: Origin) {
	return `# Scaling: measured costs

Measured on ${new Date().toISOString().slice(0, 10)} by \`${command}\` at commit ${commit}, on one machine with ${availableParallelism()} processors (${cpus()[0]?.model.trim()}) and ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory, shared by the service, the database, the agents and the users (load at the end: ${(loadavg()[0] ?? 0).toFixed(1)}). [Scaling](scaling.md) explains what follows from these figures.

${simulations.map(section).join('\n')}`;
}

interface Origin {
	command: string;
	commit: string;
}

function section(simulation: Simulation) {
	const { database, plan, importSeconds, measurements, mixes, sizes, losses } = simulation;
	const { boards, leases, agents } = plan;
	const largest = Object.entries(sizes)
		.toSorted(([, one], [, other]) => other - one)
		.slice(0, 5)
		.map(([name, megabytes]) => `${name} ${number(megabytes)} MB`);
	return `## ${database}: ${number(boards)} boards, ${number(leases)} live leases, ${number(agents)} agents

Importing the boards took ${number(importSeconds)} s. At the end, ${losses.length === 0 ? 'every lease was live, and every confirmed console byte was stored' : `**lost: ${losses.join('; ')}**`}. Largest tables: ${largest.join(', ')}.

### Cost of each operation

Processor time, less what the service uses in the background. A dash means that the operation did not stand
out from the background: measure for longer, or on a machine that runs nothing else.

${costTable(measurements, database)}

### Cores by load

Multiply each row by what you have, and add up the results.

${coreTable(simulation)}

### Capacity

${capacityTable(simulation)}

### All at once

${mixes.map((mix) => mixText(simulation, mix)).join('\n\n')}
`;
}

function costTable(measurements: readonly Measurement[], kind: Simulation['database']) {
	const { costs, noLeases, background } = costsOf(measurements);
	const rows = measurements.flatMap(({ name, count, rejected, p50, p95 }) => {
		const cost = costs.get(name);
		if (!cost) return [];
		const times = p50 === undefined ? ['', ''] : [number(p50), number(p95 ?? Number.NaN)];
		return [[name, ...cells(cost), ...times, number(count), number(rejected)]];
	});
	const rest = [
		['a second without leases', ...cells(noLeases), '', '', '', ''],
		['a second with all leases idle', ...cells(background), '', '', '', ''],
	];
	const heads = [
		'',
		'service, µs',
		'database, µs',
		'statements',
		'WAL, B',
		'p50, ms',
		'p95, ms',
		'count',
		'503s',
	];
	return table(heads, [...rows, ...rest], kind === 'SQLite' ? [2, 3, 4] : []);
}

function cells({ service, database, statements, wal }: UnitCost) {
	// In a short phase on a busy machine, the background can cost more than the operations.
	return [service, database, statements, wal].map((each) => (each === 0 ? '–' : number(each)));
}

function coreTable({ database, plan, measurements }: Simulation) {
	const { costs, noLeases } = costsOf(measurements);
	const of = (name: string) => costs.get(name) ?? nothing;
	const times = (cost: UnitCost, factor: number) => sumOf([[cost, factor]]);
	const boardsEach = number(plan.boards / plan.agents);
	const lines: [string, UnitCost][] = [
		[`100 agents with ${boardsEach} boards each`, times(noLeases, 100 / plan.agents)],
		['1,000 leases, renewed every 40 s', times(of('renew'), 1000 / renewEverySeconds)],
		['1,000 leases with one console report a second each', times(of('console report'), 1000)],
		['1,000 requests that wait for a lease', times(of('waiting request, second'), 1000)],
		['1,000 open consoles without output', times(of('console reader, second'), 1000)],
		['100 requests a second for a page of boards', times(of('list boards'), 100)],
		['100 requests a second for a lease', times(of('read lease'), 100)],
		['10 leases a second that begin and end', times(of('release and create'), 10)],
	];
	const rows = lines.map(([name, { service, database, statements, wal }]) => [
		name,
		cores(service),
		cores(database),
		number(statements),
		number(wal / 1e3),
	]);
	const heads = ['', 'service cores', 'database cores', 'statements a second', 'WAL, kB a second'];
	return table(heads, rows, database === 'SQLite' ? [2, 3, 4] : []);
}

/** The share of a core that a process should use at most, so that requests do not queue up. */
const share = 0.7;
const reportRates = [0, 0.1, 1, 5];

/** The total cost of a lease that is used as the page describes. */
function capacityTable({ database, plan, measurements }: Simulation) {
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
		return [
			number(rate),
			number(lease.service),
			number(lease.database),
			number(most),
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

${table(heads, rows, database === 'SQLite' ? [2, 4, 5] : [])}`;
}

function cores(microseconds: number) {
	return microseconds === 0 ? '–' : (microseconds / 1e6).toFixed(3);
}

function mixText({ plan, measurements }: Simulation, mix: MixedMeasurement) {
	const { costs, background } = costsOf(measurements);
	const done = Object.entries(mix.mixed.operations);
	const expected = (part: 'service' | 'database') =>
		done.reduce(
			(sum, [name, { operations }]) => sum + operations * (costs.get(costName(name))?.[part] ?? 0),
			background[part] * mix.seconds,
		) /
		(mix.seconds * 1e6);
	const measured = (all: number) => (all / (mix.seconds * 1e6)).toFixed(2);
	const rates = Object.entries(plan.rates).map(([name, rate]) => `${number(rate)} ${name}`);
	const rows = done.map(([name, { operations, seconds, p50, p95 }]) => [
		name,
		number(operations / seconds),
		number(p50),
		number(p95),
	]);
	return `${mix.replicas === 1 ? 'One process' : `${mix.replicas} processes`}, for ${number(mix.seconds)} s. Target rates a second: ${rates.join(', ')}. Requests not sent because 500 were in progress: ${number(mix.mixed.leftOut)}. The service used ${measured(mix.serviceMicroseconds)} cores (the costs above add up to ${expected('service').toFixed(2)}), the database ${measured(mix.databaseMicroseconds)} (${expected('database').toFixed(2)}). Memory: ${mix.megabytes.map((each) => `${number(each)} MB`).join(', ')}.

${table(['', 'a second', 'p50, ms', 'p95, ms'], rows)}`;
}

/** The beginning and the end of a lease were measured together. */
function costName(name: string) {
	return name === 'create' ? 'release and create' : name;
}

function table(heads: string[], rows: string[][], without: number[] = []) {
	const kept = (cells: string[]) => cells.filter((_, index) => !without.includes(index));
	const line = (cells: string[]) => `| ${kept(cells).join(' | ')} |`;
	const rule = heads.map((_, index) => (index === 0 ? '---' : '--:'));
	return [line(heads), line(rule), ...rows.map(line)].join('\n');
}

function number(value: number) {
	if (Number.isNaN(value)) return '–';
	const digits = value >= 10 || value === 0 ? 0 : 1;
	return value.toLocaleString('en', { maximumFractionDigits: digits });
}
