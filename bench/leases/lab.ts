// The service on a copy of the seeded database, with agents, their users, and a meter.
import { send } from '../../service/test/siege/attacks/send.ts';
import { newDatabase } from '../../service/test/siege/database.ts';
import { startPostgres } from '../service/postgres.ts';
import { type Server, startService } from '../service/server.ts';
import { createAgents } from './agents.ts';
import { backgroundOf, measured, openMeter } from './meter.ts';
import { boardsInQueueTypes, boardTypes, type Population, populate, type Size } from './seed.ts';

export type Kind = 'PostgreSQL' | 'SQLite';

const flags = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=all'];

/** Databases are seeded once, when the first row needs them, and copied for every row. */
export async function openSite(size: Size) {
	await using stack = new AsyncDisposableStack();
	const cluster = await startPostgres(flags.flatMap((flag) => ['-c', flag]));
	stack.defer(cluster.remove);
	const seeds = new Map<Kind, Promise<Seed>>();
	const seedOf = async (kind: Kind): Promise<Seed> => {
		const database = await newDatabase(kind === 'PostgreSQL' ? cluster.cluster : undefined);
		opened.use(database);
		return { template: database.location, population: await populate(database.location, size) };
	};
	const opened = stack.move();
	return {
		size,
		cluster,
		async open(kind: Kind, { agents = 10, replicas = 1 } = {}) {
			const seed = seeds.get(kind) ?? seedOf(kind);
			seeds.set(kind, seed);
			return openLab({ ...(await seed), cluster, kind, agents, replicas });
		},
		[Symbol.asyncDispose]: () => opened.disposeAsync(),
	};
}

export type Site = Awaited<ReturnType<typeof openSite>>;

interface Seed {
	template: string;
	population: Population;
}

interface LabOptions extends Seed {
	cluster: Awaited<ReturnType<typeof startPostgres>>;
	kind: Kind;
	agents: number;
	replicas: number;
}

async function openLab({ cluster, kind, template, population, ...wanted }: LabOptions) {
	await using stack = new AsyncDisposableStack();
	const onPostgres = kind === 'PostgreSQL' ? cluster : undefined;
	const database = stack.use(await newDatabase(onPostgres?.cluster, template));
	const replicas: Server[] = [];
	const start = async () => {
		const replica = await startService(database.location);
		stack.defer(replica.stop);
		replicas.push(replica);
	};
	while (replicas.length < wanted.replicas) await start();
	const agents = stack.use(createAgents(population));
	const origins = replicas.map(({ origin }) => origin);
	await agents.connect(origins, wanted.agents);
	// Until now, no board was available. A database that has run for a while knows how many are.
	await database.run('analyze');
	const meter = stack.use(await openMeter(database.location, onPostgres));
	const totals = () => meter.totals(replicas);
	const opened = stack.move();
	return {
		kind,
		database,
		replicas,
		origins,
		agents,
		meter,
		keys: population.keys,
		/** Of each type of the queues, with a connected agent. */
		boardsInQueue: wanted.agents * boardsInQueueTypes,
		measure: <Result>(work: () => Promise<Result>) => measured(totals, work),
		background: (seconds: number) => backgroundOf(totals, seconds),
		[Symbol.asyncDispose]: () => opened.disposeAsync(),
	};
}

export type Lab = Awaited<ReturnType<typeof openLab>>;

export interface Lease {
	id: string;
	status: string;
	board_id: string;
	token: string;
	origin: string;
}

/** Requests of a user, who has one account and uses one replica. */
export function userOf({ keys, origins }: Pick<Lab, 'keys' | 'origins'>, index: number) {
	const access = {
		token: keys[index % keys.length] ?? '',
		origin: origins[index % origins.length] ?? '',
	};
	return {
		...access,
		async create(body: object): Promise<Lease> {
			const path = '/v1/leases';
			// As the service responds.
			return {
				...JSON.parse(await send({ ...access, path, method: 'POST', body, once: true })),
				...access,
			};
		},
	};
}

export function renew(lease: Lease) {
	const path = `/v1/leases/${lease.id}/renew`;
	return send({ ...lease, path, method: 'POST', body: { minutes: 120 } });
}

export function release(lease: Lease) {
	return send({ ...lease, path: `/v1/leases/${lease.id}`, method: 'DELETE' });
}

/** Waits for the report of an agent with which the preparation of a board is complete. */
export function preparedLeases(lab: Lab) {
	const waiting = new Map<string, () => void>();
	const early = new Set<string>();
	const listening = lab.agents.on('prepared', (id) => {
		const resolve = waiting.get(id);
		if (resolve) resolve();
		else early.add(id);
		waiting.delete(id);
	});
	const until = async (id: string) => {
		if (early.delete(id)) return;
		await new Promise<void>((resolve) => waiting.set(id, resolve));
	};
	return {
		until,
		/** Creates a lease, waits until its board is prepared, and releases it. */
		async pair(index: number) {
			const body = { board_type: boardTypes[index % boardTypes.length], minutes: 30 };
			const lease = await userOf(lab, index).create(body);
			await until(lease.id);
			await release(lease);
		},
		[Symbol.dispose]: () => listening[Symbol.dispose](),
	};
}

/** Leases of an account each, whose boards are prepared. */
export async function prepareLeases(lab: Lab, count: number) {
	const held: Lease[] = [];
	using prepared = preparedLeases(lab);
	await repeat({ loops: 8, times: count }, async (index) => {
		const body = { board_type: boardTypes[index % boardTypes.length], minutes: 120 };
		const lease = await userOf(lab, index).create(body);
		await prepared.until(lease.id);
		held.push(lease);
	});
	return held;
}

/** Does something over and over, in a few loops at a time, and returns how long each took. */
export async function repeat(
	{ loops, seconds, times: most = Number.POSITIVE_INFINITY }: Repeats,
	work: (index: number) => Promise<unknown>,
) {
	const times: number[] = [];
	const end = performance.now() + (seconds ?? 3600) * 1000;
	let begun = 0;
	const loop = async () => {
		while (begun < most && performance.now() < end) {
			const startedAt = performance.now();
			await work(begun++);
			times.push(performance.now() - startedAt);
		}
	};
	await Promise.all(Array.from({ length: loops }, loop));
	return times;
}

interface Repeats {
	loops: number;
	seconds?: number;
	times?: number;
}
