// One simulation: starts the leases, measures each kind of operation by itself, then all of them
// together, and checks that nothing was lost.
import { setTimeout as wait } from 'node:timers/promises';
import { type RunningService, startService } from '../siege/lab.ts';
import type { SimulationDatabase } from './databases.ts';
import { type Load, type LoadState, type Mixed, type Paced, startLoad } from './load.ts';
import { processorTime } from './machine.ts';
import type { OperationName } from './operations.ts';
import { populate, type Size } from './population.ts';

export interface Plan extends Size {
	/** How long each kind is measured. */
	seconds: number;
	/** Connections that send one request after the other. */
	connections: number;
	/** Requests that wait for a lease, and readers of consoles. */
	waiting: number;
	/** Bytes of a console report. */
	reportBytes: number;
	/** Operations of each kind in a second, when all run together. */
	rates: Partial<Record<OperationName, number>>;
	mixedSeconds: number;
	/** After one replica, the mix is measured with this many. */
	replicas: number;
}

/** The total cost of a phase. */
export interface Cost {
	seconds: number;
	serviceMicroseconds: number;
	databaseMicroseconds: number;
	statements: number;
	walBytes: number;
}

export interface Measurement extends Cost {
	name: string;
	/** How often it was done, in the unit of its name. */
	count: number;
	p50?: number;
	p95?: number;
	/** What the agents received during the phase. */
	boardsSent: number;
	/** Requests that the service rejected as overloaded in the meantime, and that were retried. */
	rejected: number;
}

export interface MixedMeasurement extends Cost {
	replicas: number;
	mixed: Mixed;
	megabytes: number[];
}

export interface Simulation {
	database: SimulationDatabase['kind'];
	plan: Plan;
	importSeconds: number;
	measurements: Measurement[];
	mixes: MixedMeasurement[];
	sizes: Record<string, number>;
	losses: string[];
}

export interface Options {
	/** The path of the built command. */
	main: string;
	note(text: string): void;
}

export async function simulate(
	database: SimulationDatabase,
	plan: Plan,
	options: Options,
): Promise<Simulation> {
	const { note, main } = options;
	const { location } = database;
	const population = await populate(database, main, plan);
	note(`${plan.boards} boards imported in ${population.importSeconds.toFixed(0)} s`);
	const load = startLoad();
	const replicas = [await startReplica(main, location)];
	try {
		await load.ask({ kind: 'open', population, reportBytes: plan.reportBytes });
		const lab: Lab = { database, load, replicas, plan, options };
		const measurements = await measureEach(lab);
		const mixes = [await measureMix(lab)];
		while (replicas.length < plan.replicas) {
			replicas.push(await startReplica(main, location));
			await connect(lab);
			mixes.push(await measureMix(lab));
		}
		const losses = await findLosses(lab);
		const sizes = await database.sizes();
		const { importSeconds } = population;
		return { database: database.kind, plan, importSeconds, measurements, mixes, sizes, losses };
	} finally {
		await load.stop();
		for (const replica of replicas) await replica.stop();
	}
}

/** With limits that are never reached. */
function startReplica(main: string, database: string) {
	const env = { RATE_LIMIT_PER_ADDRESS: '1000000', MAX_CONNECTIONS: '100000' };
	return startService({ main, database, env });
}

interface Lab {
	database: SimulationDatabase;
	load: Load;
	replicas: RunningService[];
	plan: Plan;
	options: Options;
}

async function measureEach(lab: Lab) {
	const { load, plan } = lab;
	const { seconds, connections } = plan;
	const all: Measurement[] = [];
	const add = async (name: string, work: () => Promise<Partial<Measurement>>) => {
		all.push(await measure(lab, name, work));
	};
	const rest = async () => {
		await wait(seconds * 1000);
		return { count: seconds };
	};
	const repeat = (name: OperationName, until: { seconds?: number; times?: number }) =>
		load.ask({ kind: 'repeat', name, connections, ...until }).then(countOf);
	const held = async (what: 'wait' | 'read') => {
		const count = Math.min(plan.waiting, plan.leases);
		await load.ask({ kind: 'hold', what, count });
		// Opening them costs more than holding them.
		await wait(2_000);
		await add(what === 'wait' ? 'waiting request, second' : 'console reader, second', async () => {
			await wait(seconds * 1000);
			return { count: count * seconds };
		});
		await load.ask({ kind: 'let go' });
	};

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
	await held('wait');
	await held('read');
	await add('release and create', async () => {
		const times = Math.ceil(plan.leases / 10);
		const released = await repeat('release', { times });
		const created = await repeat('create', { times });
		await untilActive(lab);
		return { ...created, p50: created.p50 + released.p50, p95: created.p95 + released.p95 };
	});
	return all;
}

function countOf({ operations, p50, p95 }: Paced) {
	return { count: operations, p50, p95 };
}

async function connect({ load, replicas, plan }: Lab) {
	const before = (await load.ask({ kind: 'state' })).connections;
	await load.ask({ kind: 'connect', origins: replicas.map(({ url }) => url) });
	await until(load, ({ connections }) => connections >= before + plan.agents);
}

async function untilActive({ load, plan, database }: Lab) {
	await until(load, ({ known }) => known >= plan.leases);
	for (;;) {
		const [row] = await database.run(
			"select count(*) as preparing from leases where status = 'preparing'",
		);
		if (Number(row?.preparing) === 0) return;
		await wait(200);
	}
}

async function until(load: Load, isSo: (state: LoadState) => boolean) {
	for (let looks = 0; looks < 6_000; looks += 1) {
		if (isSo(await load.ask({ kind: 'state' }))) return;
		await wait(100);
	}
	throw new Error(
		`The leases were not ready after ten minutes: ${JSON.stringify(await load.ask({ kind: 'state' }))}`,
	);
}

async function measure(
	lab: Lab,
	name: string,
	work: () => Promise<Partial<Measurement>>,
): Promise<Measurement> {
	const { load, options } = lab;
	const before = await load.ask({ kind: 'state' });
	const { result, ...cost } = await costOf(lab, work);
	const after = await load.ask({ kind: 'state' });
	const measurement = {
		name,
		count: 0,
		boardsSent: after.boards - before.boards,
		rejected: after.retries + after.rejections - before.retries - before.rejections,
		...cost,
		...result,
	};
	options.note(lineOf(measurement));
	return measurement;
}

function lineOf({
	name,
	count,
	seconds,
	serviceMicroseconds,
	databaseMicroseconds,
	...rest
}: Measurement) {
	const each = (total: number) => (total / count).toFixed(0);
	return `${name}: ${count} in ${seconds.toFixed(1)} s, each ${each(serviceMicroseconds)} µs of the service, ${each(databaseMicroseconds)} µs of the database, ${each(rest.statements)} statements, ${each(rest.walBytes)} B of WAL, p50 ${rest.p50?.toFixed(1)} ms, p95 ${rest.p95?.toFixed(1)} ms, ${rest.boardsSent} boards sent, ${rest.rejected} rejected`;
}

async function costOf<Result>(lab: Lab, work: () => Promise<Result>) {
	const before = await totals(lab);
	const startedAt = performance.now();
	const result = await work();
	const seconds = (performance.now() - startedAt) / 1000;
	const after = await totals(lab);
	return {
		result,
		seconds,
		serviceMicroseconds: after.service - before.service,
		databaseMicroseconds: after.database.microseconds - before.database.microseconds,
		statements: after.database.statements - before.database.statements,
		walBytes: after.database.walBytes - before.database.walBytes,
	};
}

async function totals({ database, replicas }: Lab) {
	const service = await Promise.all(replicas.map(({ pid }) => processorTime(pid)));
	return {
		service: service.reduce((sum, each) => sum + each, 0),
		database: await database.usage(),
	};
}

async function measureMix(lab: Lab): Promise<MixedMeasurement> {
	const { load, plan, replicas, options } = lab;
	const { rates, mixedSeconds: seconds } = plan;
	const { result, ...cost } = await costOf(lab, () => load.ask({ kind: 'mix', rates, seconds }));
	const megabytes = await Promise.all(replicas.map((replica) => replica.megabytes()));
	await untilActive(lab);
	options.note(JSON.stringify({ replicas: replicas.length, ...cost, result, megabytes }));
	return { replicas: replicas.length, mixed: result, megabytes, ...cost };
}

/** Leases that should be live and are not, and confirmed console bytes that are missing. */
async function findLosses({ database, load, plan }: Lab) {
	// An agent learns that a lease has ended with a small delay.
	await until(load, ({ known }) => known === plan.leases);
	const { held, known, consoleBytes } = await load.ask({ kind: 'state' });
	const [row] = await database.run(`select
		(select count(*) from leases where status = 'active') as active,
		(select count(*) from boards where status = 'in_use') as boards,
		(select sum(console_end) from leases) as offsets,
		(select sum(length(data)) from console_chunks) as stored,
		(select sum(oldest) from (select min("offset") as oldest from console_chunks
			where direction = 'output' group by lease_id) as kept) as dropped`);
	const stored = Number(row?.stored) + Number(row?.dropped);
	const numbers = [
		['leases that are active', Number(row?.active), plan.leases],
		['leases that their users hold', held, plan.leases],
		['leases that their agents know', known, plan.leases],
		['boards in use', Number(row?.boards), plan.leases],
		['console bytes by the offsets', Number(row?.offsets), consoleBytes],
		['console bytes stored', stored, consoleBytes],
	] as const;
	return numbers
		.filter(([, found, wanted]) => found !== wanted)
		.map(([name, found, wanted]) => `${name}: ${found} instead of ${wanted}`);
}
