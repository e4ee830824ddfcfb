// The cost of a request, client by client. Each client has its own process, so that none pays for the
// garbage or the optimized code of another; all stay alive over all rounds, are warmed up before the
// first, and take short turns in a new random order each round.
import { ask, start } from '../child.ts';
import type { Pace } from '../pace.ts';
import type { Section, Table } from '../report.ts';
import { number, ratios, shuffled, spreadOf, withSpread } from '../statistics.ts';
import { type Features, watchFeatures } from './features.ts';
import { baseline, boardAccess, type Peer, peers } from './peers.ts';
import type { Measured, Task } from './worker.ts';

const shapes = [
	{ limit: 1, parallel: 1 },
	{ limit: 20, parallel: 1 },
	{ limit: 1000, parallel: 1 },
	{ limit: 1, parallel: 32 },
	{ limit: 20, parallel: 32 },
	{ limit: 1000, parallel: 32 },
] as const;

type Shape = (typeof shapes)[number];

/** Microseconds per request, round by round. */
interface Costs {
	cpu: number[];
	wall: number[];
}

export async function perCall({
	rounds,
	turns,
	milliseconds,
	warmUp,
}: Pace['client']): Promise<Section> {
	const server = await start<string>('client/server.ts');
	const origin = server.first;
	const features = await watchFeatures(peers, origin);
	const workers = new Map<Peer, Awaited<ReturnType<typeof start>>>();
	for (const peer of peers) {
		workers.set(peer, await start('client/worker.ts', { name: peer.name, origin }));
	}
	const take = (shape: Shape, milliseconds: number) => async (peer: Peer) => {
		const worker = workers.get(peer);
		if (!worker) throw new Error(`${peer.name} was not started`);
		return await ask<Measured>(worker.child, { ...shape, milliseconds } satisfies Task);
	};
	const measured = new Map<Shape, Map<Peer, Measured[][]>>();
	for (const shape of shapes) {
		for (const peer of peers) await take(shape, warmUp)(peer);
		measured.set(shape, await measure({ rounds, turns }, take(shape, milliseconds)));
	}
	for (const { child } of [server, ...workers.values()]) child.disconnect();

	const results = new Map(
		shapes.map((shape) => [
			shape,
			new Map([...(measured.get(shape) ?? [])].map(([peer, list]) => [peer, costsOf(list)])),
		]),
	);
	const widths = spreadOf([...results.values()].flatMap(widthsOf));
	return {
		title: 'A request of the client',
		text: [
			`\`client.boards.list()\` compared with the most similar request of each client, with its defaults, over loopback to one server in its own process. \`ky, only sending\` is ky without retries, time limit and error handling: the minimum for a client that sends with ky, as this one does. ${rounds} rounds after a warm-up; in each, every client has ${turns} turns of ${milliseconds} ms, in a new random order each time. Where \`taskset\` is found, the clients are pinned to one core and the server to another. CPU is the time of all threads of the client's process, user and system. The cost of a round is the median of its turns. Ratios are taken within a round; the quartiles are in brackets. For half of the CPU ratios, the interquartile range is at most ${number(widths.median)} % of the median; for three in four, at most ${number(widths.high)} %. The last three columns were observed by testing, not taken from documentation: whether a GET that receives 503 is retried, whether a limit of 300 ms ends a request whose body stalls halfway, and whether an \`id\` of the wrong type is noticed.`,
		],
		tables: shapes.map((shape) => tableOf(shape, results.get(shape) ?? new Map(), features)),
	};
}

/** The results of each client in each turn of each round. */
async function measure(
	{ rounds, turns }: Pick<Pace['client'], 'rounds' | 'turns'>,
	takeTurn: (peer: Peer) => Promise<Measured>,
) {
	const measured = new Map<Peer, Measured[][]>(peers.map((peer) => [peer, []]));
	for (let round = 0; round < rounds; round += 1) {
		for (const list of measured.values()) list.push([]);
		for (let turn = 0; turn < turns; turn += 1) {
			for (const peer of shuffled(peers)) {
				measured
					.get(peer)
					?.at(-1)
					?.push(await takeTurn(peer));
			}
		}
	}
	return measured;
}

function titleOf({ limit, parallel }: Shape) {
	return `${number(limit)} ${limit === 1 ? 'record' : 'records'}, ${parallel === 1 ? 'one request at a time' : `${parallel} requests at a time`}`;
}

/** The cost of a request in each round: the median of the turns, which a slow moment of the machine does not change. */
function costsOf(rounds: readonly (readonly Measured[])[]): Costs {
	const each = (what: 'cpu' | 'wall') =>
		rounds.map((turns) => spreadOf(turns.map((turn) => turn[what] / turn.calls)).median);
	return { cpu: each('cpu'), wall: each('wall') };
}

/** The interquartile range of the ratios of processor time, in percent of the median. */
function widthsOf(costs: ReadonlyMap<Peer, Costs>) {
	const base = costs.get(baseline)?.cpu ?? [];
	return [...costs].flatMap(([peer, { cpu }]) => {
		const { median, low, high } = ratios(cpu, base);
		return peer === baseline ? [] : [(100 * (high - low)) / median];
	});
}

function tableOf(
	shape: Shape,
	costs: ReadonlyMap<Peer, Costs>,
	features: ReadonlyMap<Peer, Features>,
): Table {
	const base = costs.get(baseline);
	if (!base) throw new Error('the baseline was not measured');
	const rows = [...costs]
		.map(([peer, cost]) => ({
			cells: [
				peer === boardAccess ? `**${peer.name}**` : peer.name,
				withSpread(ratios(cost.cpu, base.cpu)),
				number(spreadOf(cost.cpu).median),
				withSpread(ratios(cost.wall, base.wall)),
				number(spreadOf(cost.wall).median),
				features.get(peer)?.retries ?? '',
				features.get(peer)?.deadline ?? '',
				features.get(peer)?.validation ?? '',
			],
			order: ratios(cost.cpu, base.cpu).median,
		}))
		.toSorted((one, other) => one.order - other.order)
		.map(({ cells }) => cells);
	return {
		title: titleOf(shape),
		head: [
			'client',
			'CPU, × global fetch',
			'CPU, µs',
			'time, × global fetch',
			'time, µs',
			'retries a 503',
			'deadline covers the body',
			'validates',
		],
		rows,
	};
}
