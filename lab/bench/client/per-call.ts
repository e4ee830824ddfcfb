// The cost of a request, client by client. Each client has its own process, so that none pays for the
// garbage or the optimized code of another; all stay alive over all rounds, are warmed up before the
// first, and take short turns in a new random order each round.
import { ratio, shown, spreadOf, table } from '../../support/figures.ts';
import { ask, start } from '../child.ts';
import { type Features, watchFeatures } from './features.ts';
import { baseline, type Peer, peers } from './peers.ts';
import type { Measured, Task } from './worker.ts';

const shapes = [
	{ limit: 1, parallel: 1 },
	{ limit: 20, parallel: 1 },
	{ limit: 20, parallel: 32 },
	{ limit: 1000, parallel: 1 },
] as const;

interface Pace {
	rounds: number;
	/** Many short turns, so that a slow moment of the machine hits every client, and moves no median. */
	turns: number;
	milliseconds: number;
	warmUp: number;
}

/** Microseconds for each request, round by round. */
interface Costs {
	cpu: number[];
	wall: number[];
}

type Take = (peer: Peer, milliseconds: number) => Promise<Measured>;

export async function client(isQuick: boolean) {
	const pace = isQuick
		? { rounds: 1, turns: 1, milliseconds: 20, warmUp: 40 }
		: { rounds: 9, turns: 24, milliseconds: 15, warmUp: 700 };
	const server = await start<string>('client/server.ts');
	const origin = server.first;
	const features = await watchFeatures(peers, origin);
	const workers = new Map<Peer, Awaited<ReturnType<typeof start>>['child']>();
	for (const peer of peers) {
		const { child } = await start('client/worker.ts', { name: peer.name, origin });
		workers.set(peer, child);
	}
	for (const shape of shapes) {
		const take: Take = async (peer, milliseconds) => {
			const worker = workers.get(peer);
			if (!worker) throw new Error(`${peer.name} was not started`);
			return ask<Measured>(worker, { ...shape, milliseconds } satisfies Task);
		};
		const records = `${shape.limit} records, ${shape.parallel} requests at a time`;
		console.log(`\n${records}\n\n${tableOf(await measure(take, pace), features)}`);
	}
	for (const child of [server.child, ...workers.values()]) child.disconnect();
}

/** The cost of a round is the median of its turns. */
async function measure(take: Take, { rounds, turns, milliseconds, warmUp }: Pace) {
	const costs = new Map<Peer, Costs>(peers.map((peer) => [peer, { cpu: [], wall: [] }]));
	for (const peer of peers) await take(peer, warmUp);
	for (let round = 0; round < rounds; round += 1) {
		const measured = new Map<Peer, Measured[]>(peers.map((peer) => [peer, []]));
		for (let turn = 0; turn < turns; turn += 1) {
			for (const peer of shuffled(peers)) measured.get(peer)?.push(await take(peer, milliseconds));
		}
		for (const [peer, { cpu, wall }] of costs) {
			const each = (what: 'cpu' | 'wall') =>
				spreadOf((measured.get(peer) ?? []).map((turn) => turn[what] / turn.calls)).median;
			cpu.push(each('cpu'));
			wall.push(each('wall'));
		}
	}
	return costs;
}

function shuffled<Item>(items: readonly Item[]) {
	return items
		.map((item) => ({ item, place: Math.random() }))
		.toSorted((one, other) => one.place - other.place)
		.map(({ item }) => item);
}

function tableOf(costs: ReadonlyMap<Peer, Costs>, features: ReadonlyMap<Peer, Features>) {
	const base = costs.get(baseline);
	if (!base) throw new Error('The baseline was not measured');
	const heads = ['client', 'CPU, × global fetch', 'CPU, µs', 'time, × global fetch', 'time, µs'];
	const rows = [...costs].map(([peer, { cpu, wall }]) => [
		...[peer.name, ratio(cpu, base.cpu), shown(spreadOf(cpu).median)],
		...[ratio(wall, base.wall), shown(spreadOf(wall).median)],
		...Object.values(features.get(peer) ?? {}),
	]);
	return table([...heads, 'retries a 503', 'deadline covers the body', 'validates'], rows);
}
