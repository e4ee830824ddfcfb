// A lease beside a job of graphile-worker, on the same server and in turns.

import { newDatabase } from '../../service/test/siege/database.ts';
import { summaryOf } from '../../service/test/siege/report.ts';
import { ask, start } from '../child.ts';
import { processOf } from '../service/server.ts';
import { spreadOf } from '../statistics.ts';
import type { Figure, Finding } from './figures.ts';
import { preparedLeases, repeat, type Site } from './lab.ts';
import {
	backgroundOf,
	each,
	type Measured,
	measured,
	openMeter,
	times,
	type Usage,
	usageOf,
} from './meter.ts';

export interface Repetition {
	loops: number;
	seconds: number;
}

export interface Repeated {
	/** Milliseconds of each. */
	times: number[];
}

interface Pace {
	rounds: number;
	seconds: number;
	restSeconds: number;
}

/** Something that is done over and over, and what it uses. */
interface Subject {
	totals(): Promise<Usage>;
	repeat(repetition: Repetition): Promise<Repeated>;
}

const atOnce = 8;

export async function leaseAndJob(site: Site, pace: Pace): Promise<Finding> {
	await using lab = await site.open('PostgreSQL');
	await using other = await newDatabase(site.cluster.cluster);
	await using meter = await openMeter(other.location, site.cluster);
	using prepared = preparedLeases(lab);
	const settings = { connectionString: other.location, concurrency: atOnce };
	const { child } = await start('leases/graphile-child.ts', settings);
	const worker = processOf(child.pid ?? 0);
	const lease: Subject = {
		totals: () => lab.meter.totals(lab.replicas),
		repeat: async (repetition) => ({ times: await repeat(repetition, prepared.pair) }),
	};
	const job: Subject = {
		totals: () => meter.totals([worker]),
		repeat: (repetition) => ask<Repeated>(child, repetition),
	};
	for (const { repeat } of [lease, job]) await repeat({ loops: atOnce, seconds: pace.seconds });
	const rounds: { lease: Round; job: Round }[] = [];
	for (let round = 0; round < pace.rounds; round += 1) {
		rounds.push({ lease: await measureRound(lease, pace), job: await measureRound(job, pace) });
	}
	child.disconnect();
	const cost = usageOf((name) => spreadOf(rounds.map(({ lease }) => lease.cost[name])).median);
	const loads = [['10 leases a second that begin and end', times(cost, 10)]] as const;
	return { title, text, figures: figuresOf(rounds), loads };
}

interface Round {
	cost: Usage;
	rate: number;
	alone: number;
}

/** Each with what goes on in the background while neither is done. */
async function measureRound({ totals, repeat }: Subject, pace: Pace): Promise<Round> {
	const background = await backgroundOf(totals, pace.restSeconds);
	const together = await measured(totals, () => repeat({ loops: atOnce, seconds: pace.seconds }));
	const count = together.result.times.length;
	const alone = await repeat({ loops: 1, seconds: pace.seconds / 2 });
	return {
		cost: each(together as Measured<unknown>, count, background),
		rate: count / together.seconds,
		alone: summaryOf(alone.times).p50,
	};
}

const title = 'A lease beside a job of graphile-worker (PostgreSQL)';
const text = `A lease is created, prepared in one step and released over HTTP; a job is added, taken and completed within a process. They take turns on one server with \`synchronous_commit\` on, ${atOnce} at a time, after a turn of each to warm up. CPU is that of the process and of PostgreSQL, without the background and without whoever sends the requests.`;

function figuresOf(rounds: readonly { lease: Round; job: Round }[]): Figure[] {
	const middle = (
		about: Omit<Figure, 'value'>,
		value: (round: (typeof rounds)[number]) => number,
	) => ({
		...about,
		value: spreadOf(rounds.map(value)).median,
	});
	const cpu = ({ cost }: Round) => cost.service + cost.database;
	return [
		middle({ name: 'statements', unit: '', most: 10 }, ({ lease }) => lease.cost.statements),
		middle({ name: 'statements of triggers', unit: '' }, ({ lease }) => lease.cost.nested),
		middle(
			{ name: 'CPU of the service', unit: 'ms', most: 2.5 },
			({ lease }) => lease.cost.service,
		),
		middle({ name: 'CPU of PostgreSQL', unit: 'ms', most: 4 }, ({ lease }) => lease.cost.database),
		middle({ name: 'one after the other, p50', unit: 'ms' }, ({ lease }) => lease.alone),
		middle({ name: 'a second', unit: '', least: 250, before: '116' }, ({ lease }) => lease.rate),
		middle({ name: 'job: statements', unit: '' }, ({ job }) => job.cost.statements),
		middle({ name: 'job: CPU of the process', unit: 'ms' }, ({ job }) => job.cost.service),
		middle({ name: 'job: CPU of PostgreSQL', unit: 'ms' }, ({ job }) => job.cost.database),
		middle({ name: 'job: one after the other, p50', unit: 'ms' }, ({ job }) => job.alone),
		middle({ name: 'job: a second', unit: '' }, ({ job }) => job.rate),
		middle(
			{ name: 'lease / job: CPU', unit: '×', most: 2 },
			({ lease, job }) => cpu(lease) / cpu(job),
		),
		middle(
			{ name: 'lease / job: statements', unit: '×' },
			({ lease, job }) => lease.cost.statements / job.cost.statements,
		),
		middle(
			{ name: 'lease / job: latency', unit: '×' },
			({ lease, job }) => lease.alone / job.alone,
		),
		middle(
			{ name: 'CPU of the load generator, for a lease', unit: 'ms' },
			({ lease }) => lease.cost.harness,
		),
	];
}
