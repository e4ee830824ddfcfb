// One client in its own process: sends requests on demand and reports their cost.
import { peers, type Where } from './peers.ts';
import { clientCore, pinTo } from './pin.ts';

export interface Task {
	limit: number;
	/** How many requests are in progress at a time. */
	parallel: number;
	milliseconds: number;
}

export interface Measured {
	calls: number;
	/** Microseconds of processor time, of all threads, user and system. */
	cpu: number;
	/** Microseconds of wall-clock time. */
	wall: number;
}

pinTo(clientCore);

const { name, ...where } = JSON.parse(process.argv[2] ?? '') as Where & { name: string }; // as spawned
const peer = peers.find((each) => each.name === name);
if (!peer) throw new Error(`There is no client ${name}`);
const list = await peer.open(where);

async function measure({ limit, parallel, milliseconds }: Task): Promise<Measured> {
	let calls = 0;
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	const one = async () => {
		while (performance.now() - startedAt < milliseconds) {
			if ((await list(limit)) !== limit) throw new Error(`${name} did not read ${limit} records`);
			calls += 1;
		}
	};
	await Promise.all(Array.from({ length: parallel }, one));
	const { user, system } = process.cpuUsage(cpuBefore);
	return { calls, cpu: user + system, wall: (performance.now() - startedAt) * 1000 };
}

process.on('message', async (task: Task) => {
	process.send?.(await measure(task));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
