// Puts load on servers in turns and writes the results into tables.
import { ask, start } from '../child.ts';
import type { Pace } from '../pace.ts';
import type { Table } from '../report/section.ts';
import { number, ratios, shuffled, spreadOf, withSpread } from '../statistics.ts';
import type { Credential } from './credential.ts';
import type { Load, LoadTask } from './load.ts';
import type { Server } from './server.ts';
import { hasWrk, loadWithWrk } from './wrk.ts';

export interface Candidate extends Credential {
	name: string;
	servers: readonly Server[];
	/** The path to request, with its query. */
	path: string;
	connections: number;
}

interface Seen extends Load {
	/** Requests per second. */
	rate: number;
	/** Microseconds of processor time of the server, or all of them, per request. */
	cpu: number;
}

export type Loader = Awaited<ReturnType<typeof startLoader>>;

export async function startLoader() {
	const { child } = await start('service/load.ts');
	const withWrk = await hasWrk();
	return {
		/** What sends the requests: wrk where it is installed, for one address and a time. */
		name: withWrk ? 'wrk' : 'one more process',
		load: (task: LoadTask) =>
			withWrk && task.seconds !== undefined ? loadEach(task) : ask<Load>(child, task),
		stop: () => child.disconnect(),
	};
}

/** Every address at the same time, with its share of the connections. */
async function loadEach(task: LoadTask): Promise<Load> {
	const { urls } = task;
	const connections = task.connections / urls.length;
	const loads = await Promise.all(
		urls.map((url) => loadWithWrk({ ...task, urls: [url], connections })),
	);
	const mean = (key: keyof Load) => loads.reduce((sum, load) => sum + load[key], 0) / loads.length;
	return {
		requests: mean('requests') * loads.length,
		seconds: mean('seconds'),
		median: mean('median'),
		p99: mean('p99'),
	};
}

async function look(loader: Loader, candidate: Candidate, seconds: number): Promise<Seen> {
	const { servers, key, cookie, path, connections } = candidate;
	const urls = servers.map(({ origin }) => origin + path);
	const before = await cpuOf(servers);
	const load = await loader.load({
		urls,
		connections,
		seconds,
		...(key && { key }),
		...(cookie && { cookie }),
	});
	const cpu = ((await cpuOf(servers)) - before) * 1e6;
	return { ...load, rate: load.requests / load.seconds, cpu: cpu / load.requests };
}

/** The results of each candidate, round by round; the order in a round is random. */
export async function watch(
	loader: Loader,
	candidates: readonly Candidate[],
	{ rounds, seconds }: Pick<Pace['service'], 'rounds' | 'seconds'>,
) {
	const seen = new Map<string, Seen[]>(candidates.map(({ name }) => [name, []]));
	for (const candidate of candidates) await look(loader, candidate, seconds / 2); // warm
	for (let round = 0; round < rounds; round += 1) {
		for (const candidate of shuffled(candidates)) {
			seen.get(candidate.name)?.push(await look(loader, candidate, seconds));
		}
	}
	return seen;
}

export function rateRatios(seen: ReadonlyMap<string, Seen[]>, name: string, base: string) {
	const rates = (of: string) => (seen.get(of) ?? []).map(({ rate }) => rate);
	return ratios(rates(name), rates(base));
}

export function cpuRatios(seen: ReadonlyMap<string, Seen[]>, name: string, base: string) {
	const cpus = (of: string) => (seen.get(of) ?? []).map(({ cpu }) => cpu);
	return ratios(cpus(name), cpus(base));
}

/** With the rates in terms of the first, and the processor time in terms of the first or another. */
export function loadTable(title: string, seen: ReadonlyMap<string, Seen[]>, of?: string): Table {
	const [base = ''] = seen.keys();
	const cpuBase = of ?? base;
	return {
		title,
		head: [
			'',
			`requests/s, × ${base}`,
			'requests/s',
			'median, ms',
			'99 %, ms',
			'CPU of the server, µs a request',
			`CPU, × ${cpuBase}`,
		],
		rows: [...seen].map(([name, looks]) => {
			const median = (key: keyof Seen) => number(spreadOf(looks.map((each) => each[key])).median);
			return [
				name,
				withSpread(rateRatios(seen, name, base)),
				median('rate'),
				median('median'),
				median('p99'),
				median('cpu'),
				withSpread(cpuRatios(seen, name, cpuBase)),
			];
		}),
	};
}

async function cpuOf(servers: readonly Server[]) {
	const times = await Promise.all(servers.map((server) => server.cpu()));
	return times.reduce((sum, time) => sum + time, 0);
}
