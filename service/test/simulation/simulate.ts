// One simulation: starts the leases, measures each kind of operation by itself, then all of them
// together, and checks that nothing was lost.
import { setTimeout as wait } from 'node:timers/promises';
import { rejections } from '../siege/attacks/send.ts';
import { type RunningService, startService } from '../siege/lab.ts';
import { type Agents, connectAgents, newAgents } from './agents.ts';
import { type Cost, costOf } from './costs.ts';
import type { SimulationDatabase } from './databases.ts';
import { asFastAsPossible, atRates } from './load.ts';
import { processorTime } from './machine.ts';
import { createUsers, type OperationName, openRequests, type Users } from './operations.ts';
import type { Plan } from './plan.ts';
import { populate } from './population.ts';

export interface Measurement extends Cost {
	name: string;
	seconds: number;
	/** How often it was done, in the unit of its name. */
	count: number;
	p50?: number;
	p95?: number;
	/** Requests that the service rejected as overloaded in the meantime, and that were retried. */
	rejected: number;
}

export interface Options {
	/** The path of the built command. */
	main: string;
	note(text: string): void;
}

interface Lab {
	database: SimulationDatabase;
	agents: Agents;
	users: Users;
	replicas: RunningService[];
	plan: Plan;
	note: Options['note'];
}

export async function simulate(database: SimulationDatabase, plan: Plan, options: Options) {
	const { note, main } = options;
	const { importSeconds, ...population } = await populate(database, main, plan);
	note(`${plan.boards} boards imported in ${importSeconds.toFixed(0)} s`);
	await using opened = new AsyncDisposableStack();
	const start = async () => {
		// With limits that are never reached.
		const env = { RATE_LIMIT_PER_ADDRESS: '1000000', MAX_CONNECTIONS: '100000' };
		return opened.use(await startService({ main, database: database.location, env }));
	};
	const agents = newAgents(population.agents);
	const users = createUsers(population, agents);
	const lab: Lab = { database, agents, users, replicas: [await start()], plan, note };
	opened.defer(() => agents.cut.abort());
	const measurements = await measureEach(lab);
	const mixes = [await measureMix(lab)];
	while (lab.replicas.length < plan.replicas) {
		lab.replicas.push(await start());
		await connect(lab);
		mixes.push(await measureMix(lab));
	}
	const [losses, sizes] = [await findLosses(lab), await database.sizes()];
	return { kind: database.kind, plan, importSeconds, measurements, mixes, sizes, losses };
}

export type Simulation = Awaited<ReturnType<typeof simulate>>;

async function measureEach(lab: Lab) {
	const { users, plan } = lab;
	const { seconds, connections } = plan;
	const all: Measurement[] = [];
	const add = async (name: string, work: () => Promise<Counted>) => {
		all.push(await measure(lab, name, work));
	};
	const rest = async () => {
		await wait(seconds * 1000);
		return { count: seconds };
	};
	const repeat = (name: OperationName, until: { seconds?: number; times?: number }) =>
		asFastAsPossible(users, { name, connections, ...until });

	await add('agent connects', async () => {
		await connect(lab);
		return { count: plan.agents };
	});
	await add('no leases, second', rest);
	await add('create', async () => {
		const paced = await repeat('create', { times: plan.leases });
		await untilActive(lab);
		return paced;
	});
	await add('leases, second', rest);
	for (const name of ['read lease', 'list boards', 'renew', 'console report'] as const) {
		await add(name, () => repeat(name, { seconds }));
	}
	for (const [name, open] of [
		['waiting request, second', openRequests.wait],
		['console reader, second', openRequests.read],
	] as const) {
		const cut = new AbortController();
		const ended = users.held.slice(0, plan.waiting).map((lease) =>
			open(lease, cut.signal).catch((error) => {
				if (!cut.signal.aborted) lab.agents.failure ??= error;
			}),
		);
		// Opening them costs more than holding them.
		await wait(2_000);
		await add(name, () => rest().then(({ count }) => ({ count: count * ended.length })));
		cut.abort();
		await Promise.all(ended);
	}
	await add('release and create', async () => {
		const times = Math.ceil(plan.leases / 10);
		const released = await repeat('release', { times });
		const created = await repeat('create', { times });
		await untilActive(lab);
		return { ...created, p50: created.p50 + released.p50, p95: created.p95 + released.p95 };
	});
	return all;
}

async function connect({ agents, users, replicas, plan }: Lab) {
	const origins = replicas.map(({ url }) => url);
	const wanted = agents.connections + plan.agents;
	users.moveTo(origins);
	connectAgents(agents, origins);
	await until(agents, async () => agents.connections >= wanted);
}

function untilActive({ agents, plan, database }: Lab) {
	const preparing = "select count(*) as count from leases where status = 'preparing'";
	return until(agents, async () => {
		if (agents.leases.size < plan.leases) return false;
		return Number((await database.run(preparing))[0]?.count) === 0;
	});
}

async function until(agents: Agents, isSo: () => Promise<boolean>) {
	for (let looks = 0; looks < 3_000; looks += 1) {
		if (agents.failure) throw agents.failure;
		if (await isSo()) return;
		await wait(200);
	}
	const { connections, leases } = agents;
	throw new Error(`Not ready after ten minutes: ${connections} connected, ${leases.size} leases`);
}

type Counted = Pick<Measurement, 'count' | 'p50' | 'p95'>;

async function measure(lab: Lab, name: string, work: () => Promise<Counted>): Promise<Measurement> {
	const rejected = () => lab.agents.retries + rejections.count;
	const before = rejected();
	const { result, ...cost } = await withCost(lab, work);
	const { count, p50, p95 } = result;
	const times = p50 === undefined || p95 === undefined ? {} : { p50, p95 };
	const measurement = { name, count, rejected: rejected() - before, ...cost, ...times };
	lab.note(JSON.stringify(measurement));
	return measurement;
}

async function withCost<Result>(lab: Lab, work: () => Promise<Result>) {
	const before = await totals(lab);
	const startedAt = performance.now();
	const result = await work();
	const seconds = (performance.now() - startedAt) / 1000;
	const after = await totals(lab);
	return { result, seconds, ...costOf((name) => after[name] - before[name]) };
}

async function totals({ database, replicas }: Lab): Promise<Cost> {
	const all = await Promise.all(replicas.map(({ pid }) => processorTime(pid)));
	const service = all.reduce((sum, each) => sum + each, 0);
	return { service, ...(await database.usage()) };
}

async function measureMix(lab: Lab) {
	const { users, plan, replicas } = lab;
	const { rates, mixedSeconds: seconds } = plan;
	const { result, ...cost } = await withCost(lab, () => atRates(users, { rates, seconds }));
	const megabytes = await Promise.all(replicas.map((replica) => replica.megabytes()));
	await untilActive(lab);
	const mix = { replicas: replicas.length, megabytes, ...cost, ...result };
	lab.note(JSON.stringify(mix));
	return mix;
}

export type Mix = Awaited<ReturnType<typeof measureMix>>;

/** Leases that should be live and are not, and confirmed console bytes that are missing. */
async function findLosses({ database, agents, users, plan }: Lab) {
	// An agent learns that a lease has ended with a small delay.
	await until(agents, async () => agents.leases.size === plan.leases);
	const [row] = await database.run(`select
		(select count(*) from leases where status = 'active') as active,
		(select count(*) from boards where status = 'in_use') as boards,
		(select sum(console_end) from leases) as offsets,
		(select sum(length(data)) from console_chunks) as stored,
		(select sum(oldest) from (select min("offset") as oldest from console_chunks
			where direction = 'output' group by lease_id) as kept) as dropped`);
	const { consoleBytes } = users.state;
	const numbers = [
		['leases that are active', Number(row?.active), plan.leases],
		['leases that their users hold', users.held.length, plan.leases],
		['leases that their agents know', agents.leases.size, plan.leases],
		['boards in use', Number(row?.boards), plan.leases],
		['console bytes by the offsets', Number(row?.offsets), consoleBytes],
		['console bytes stored', Number(row?.stored) + Number(row?.dropped), consoleBytes],
	] as const;
	return numbers
		.filter(([, found, wanted]) => found !== wanted)
		.map(([name, found, wanted]) => `${name}: ${found} instead of ${wanted}`);
}
