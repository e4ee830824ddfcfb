// Puts load on servers in turns and writes the results into tables.
import { ask, start } from '../child.ts';
import type { Pace } from '../pace.ts';
import type { Table } from '../report.ts';
import { number, ratios, shuffled, spreadOf, withSpread } from '../statistics.ts';
import type { Credential } from './credential.ts';
import type { Load, LoadTask } from './load.ts';
import type { Server } from './server.ts';

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

/** One more process sends the requests. */
export async function startLoader() {
	const { child } = await start('service/load.ts');
	return { load: (task: LoadTask) => ask<Load>(child, task), stop: () => child.disconnect() };
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

/** With the rates and the processor time in terms of the first. */
export function loadTable(title: string, seen: ReadonlyMap<string, Seen[]>): Table {
	const [base = ''] = seen.keys();
	const ratio = (name: string, key: 'rate' | 'cpu') => {
		const values = (of: string) => (seen.get(of) ?? []).map((look) => look[key]);
		return withSpread(ratios(values(name), values(base)));
	};
	return {
		title,
		head: [
			'',
			`requests/s, × ${base}`,
			'requests/s',
			'median, ms',
			'99 %, ms',
			'CPU of the server, µs a request',
			`CPU, × ${base}`,
		],
		rows: [...seen].map(([name, looks]) => {
			const median = (key: keyof Seen) => number(spreadOf(looks.map((each) => each[key])).median);
			return [
				name,
				ratio(name, 'rate'),
				median('rate'),
				median('median'),
				median('p99'),
				median('cpu'),
				ratio(name, 'cpu'),
			];
		}),
	};
}

async function cpuOf(servers: readonly Server[]) {
	const times = await Promise.all(servers.map((server) => server.cpu()));
	return times.reduce((sum, time) => sum + time, 0);
}
