// What the service, the database and this process use while something is measured.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { processOf, type Server } from '../service/server.ts';

export const resources = ['service', 'database', 'statements', 'nested', 'harness'] as const;
/** Milliseconds of processor time; statements that were sent, and those of triggers and functions. */
export type Usage = Record<(typeof resources)[number], number>;

export function usageOf(value: (resource: (typeof resources)[number]) => number) {
	// It has all resources.
	return Object.fromEntries(resources.map((name) => [name, value(name)])) as Usage;
}

export const nothing = usageOf(() => 0);

interface Cluster {
	/** The address of the cluster, and its folder. */
	cluster: string;
	databaseDir: string;
}

/** The database is that of the URL; without a cluster, the service does its work itself. */
export async function openMeter(database: string, cluster: Cluster | undefined) {
	const postgres = cluster && (await openPostgresMeter(database, cluster));
	return {
		async totals(servers: readonly Pick<Server, 'cpu'>[]): Promise<Usage> {
			const all = await Promise.all(servers.map(({ cpu }) => cpu()));
			const { user, system } = process.cpuUsage();
			return {
				service: all.reduce((sum, seconds) => sum + seconds * 1000, 0),
				...((await postgres?.totals()) ?? { database: 0, statements: 0, nested: 0 }),
				harness: (user + system) / 1000,
			};
		},
		[Symbol.asyncDispose]: async () => postgres?.end(),
	};
}

/** Its own connection is one to another database, and its processor time does not count. */
async function openPostgresMeter(database: string, { cluster, databaseDir }: Cluster) {
	const client = new pg.Client({ connectionString: `${cluster}/postgres` });
	await client.connect();
	await client.query('create extension if not exists pg_stat_statements');
	const name = new URL(database).pathname.slice(1);
	const own = (await client.query('select pg_backend_pid() as pid')).rows[0]?.pid;
	const [first] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
	const postmaster = Number(first);
	return {
		async totals() {
			const [{ rows }, database] = [
				await client.query(
					`select coalesce(sum(calls) filter (where toplevel), 0)::float as statements,
						coalesce(sum(calls) filter (where not toplevel), 0)::float as nested
					from pg_stat_statements where dbid = (select oid from pg_database where datname = $1)`,
					[name],
				),
				await processorTimeOfFamily(postmaster, own),
			];
			return { database, statements: rows[0].statements, nested: rows[0].nested };
		},
		end: () => client.end(),
	};
}

const millisecondsPerTick = 10;

/** Milliseconds of a process and its children, also of those that have ended, without one of them. */
async function processorTimeOfFamily(pid: number, without: number) {
	const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
	const times = await Promise.all(
		entries.map(async (id) => {
			// A process may end while it is being read.
			const fields = await fieldsOf(id).catch(() => []);
			const isMember = id === pid || (fields[1] === pid && id !== without);
			const ended = id === pid ? ((fields[13] ?? 0) + (fields[14] ?? 0)) * millisecondsPerTick : 0;
			return isMember
				? (await processOf(id)
						.cpu()
						.catch(() => 0)) *
						1000 +
						ended
				: 0;
		}),
	);
	return times.reduce((sum, time) => sum + time, 0);
}

/** Of /proc/…/stat, from the state on. */
async function fieldsOf(pid: number) {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8');
	// The name before the last parenthesis may have spaces in it.
	return text
		.slice(text.lastIndexOf(')') + 2)
		.split(' ')
		.map(Number);
}

export interface Measured<Result> {
	result: Result;
	seconds: number;
	used: Usage;
}

/** What some work has used, with what the background used meanwhile. */
export async function measured<Result>(
	totals: () => Promise<Usage>,
	work: () => Promise<Result>,
): Promise<Measured<Result>> {
	const before = await totals();
	const startedAt = performance.now();
	const result = await work();
	const seconds = (performance.now() - startedAt) / 1000;
	const after = await totals();
	return { result, seconds, used: usageOf((name) => after[name] - before[name]) };
}

/** What is used in a second while nothing is done. */
export async function backgroundOf(totals: () => Promise<Usage>, seconds: number) {
	const rest = await measured(totals, () => wait(seconds * 1000));
	return usageOf((name) => rest.used[name] / rest.seconds);
}

/** Of one of `count`, less the background. */
export function each({ used, seconds }: Measured<unknown>, count: number, background = nothing) {
	return usageOf((name) => Math.max(0, used[name] - background[name] * seconds) / count);
}

export function times(used: Usage, factor: number) {
	return usageOf((name) => used[name] * factor);
}
