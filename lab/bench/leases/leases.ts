// Everything at once: many leases, and requests at fixed rates, however slow the responses.
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../../core/test/support/postgres.ts';
import { type LabDatabase, newDatabase } from '../../support/database.ts';
import { shown, summaryOf, table } from '../../support/figures.ts';
import { processorTime } from '../../support/machine.ts';
import { rejections, send } from '../../support/send.ts';
import { builtCommand, type Place, startService } from '../../support/service.ts';
import { createAgents } from './agents.ts';
import { boardTypes, populate, type Size } from './seed.ts';

interface Wanted extends Size {
	leases: number;
	/** Processes of the service; on SQLite, there is one. */
	replicas: number;
	seconds: number;
}

interface Lease {
	id: string;
	board_id: string;
	token: string;
	origin: string;
}

const line = Buffer.alloc(100, 'the firmware says hello; ');

/** Requests beyond this are counted as not sent. */
const maxUnderWay = 500;

export async function leases(isQuick: boolean) {
	const postgres = await startPostgres(['-c', 'fsync=on']);
	const one = isQuick
		? { boards: 2_000, agents: 10, accounts: 60, leases: 100, replicas: 1, seconds: 4 }
		: { boards: 10_000, agents: 50, accounts: 230, leases: 1_000, replicas: 1, seconds: 20 };
	const two = isQuick
		? { ...one, replicas: 2 }
		: { boards: 100_000, agents: 500, accounts: 2_300, leases: 10_000, replicas: 2, seconds: 20 };
	for (const [cluster, wanted] of [[undefined, one] as const, [postgres.url, two] as const]) {
		const { rows, lost } = await load({ main: builtCommand, cluster }, wanted);
		console.log(`\n${cluster ? 'PostgreSQL' : 'SQLite'}: ${JSON.stringify(wanted)}\n`);
		console.log(table(['', 'p50, ms', 'p95, ms'], rows));
		console.log(`\nLost: ${lost.join('; ') || 'nothing'}`);
		if (lost.length > 0) process.exitCode = 1;
	}
	await postgres.remove();
}

/** How long requests take under a mixed load, and what is lost by it. */
export async function load({ main, cluster }: Place, wanted: Wanted) {
	await using database = await newDatabase(cluster);
	const population = await populate(main, database.location, wanted);
	await using stack = new AsyncDisposableStack();
	const services: Awaited<ReturnType<typeof startService>>[] = [];
	while (services.length < wanted.replicas) {
		services.push(stack.use(await startService({ main, database: database.location })));
	}
	const agents = stack.use(createAgents(population));
	const origins = services.map(({ url }) => url);
	await agents.connect(origins);
	await database.run('analyze');
	const work = workOf({ agents, origins, keys: population.keys });
	const { held, operations } = work;
	await Promise.all(
		Array.from({ length: 8 }, async (_, first) => {
			for (let count = first; count < wanted.leases; count += 8) await operations.create();
		}),
	);
	/** Not fewer than one every two seconds, so that each is measured. */
	const rate = (everySeconds: number) => Math.max(wanted.leases / everySeconds, 0.5);
	const rates = {
		...{ renew: rate(40), 'console report': rate(50), 'list boards': rate(500) },
		...{ 'read lease': rate(500), create: rate(5_000), release: rate(5_000) },
	};
	await atRates(operations, rates, wanted.seconds / 4);
	const rejected = rejections.count;
	const cpu = async () => Promise.all(services.map(({ pid }) => processorTime(pid)));
	const before = await cpu();
	const { unsent, times } = await atRates(operations, rates, wanted.seconds);
	const used = (await cpu()).map((time, index) => time - (before[index] ?? 0));
	const rows = Object.entries(times).map(([name, all]) => {
		const { p50, p95 } = summaryOf(all);
		return [name, shown(p50), shown(p95)];
	});
	const cores = used.map((time) => shown(time / 1e6 / wanted.seconds)).join(' and ');
	const notSent = `${unsent} requests not sent, ${rejections.count - rejected} rejected as overloaded`;
	rows.push([`${notSent}; the service used ${cores} cores`, '', '']);
	return { rows, lost: await losses(database, { agents, held }) };
}

interface Users {
	agents: ReturnType<typeof createAgents>;
	origins: readonly string[];
	keys: readonly string[];
}

function workOf({ agents, origins, keys }: Users) {
	const held: Lease[] = [];
	let turn = 0;
	const next = () => {
		const lease = held[++turn % held.length];
		if (!lease) throw new Error('There is no lease');
		return lease;
	};
	const nextUser = () => {
		turn += 1;
		const [token = '', origin = ''] = [keys[turn % keys.length], origins[turn % origins.length]];
		return { token, origin };
	};
	const nextType = () => boardTypes[turn % boardTypes.length];
	const operations = {
		renew() {
			const { id, ...user } = next();
			const path = `/v1/leases/${id}/renew`;
			return send({ ...user, path, method: 'POST', body: { minutes: 120 } });
		},
		async 'console report'() {
			const { board_id } = next();
			const output = agents.outputs.get(board_id);
			// The lease is new, and its board not prepared.
			if (!output) return;
			const confirmed = agents.confirmed(board_id);
			output(line);
			await confirmed;
		},
		'list boards'() {
			const path = `/v1/boards?limit=20&status=available&board_type=${nextType()}`;
			return send({ ...nextUser(), path });
		},
		'read lease'() {
			const { id, ...user } = next();
			return send({ ...user, path: `/v1/leases/${id}` });
		},
		async create() {
			const user = nextUser();
			const body = { board_type: nextType(), minutes: 120 };
			const path = '/v1/leases';
			const lease = JSON.parse(await send({ ...user, path, method: 'POST', body, once: true }));
			await agents.prepared(lease.id);
			held.push({ ...lease, ...user });
		},
		async release() {
			const { id, ...user } = held.shift() ?? next();
			await send({ ...user, path: `/v1/leases/${id}`, method: 'DELETE' });
		},
	} satisfies Record<string, () => Promise<unknown>>;
	return { held, operations };
}

type Operations = ReturnType<typeof workOf>['operations'];

async function atRates(
	operations: Operations,
	rates: Readonly<Record<keyof Operations, number>>,
	seconds: number,
) {
	// The keys of the rates are names: TypeScript widens them to strings.
	const all = Object.entries(rates) as [keyof Operations, number][];
	const begun = new Map(all.map(([name]) => [name, 0]));
	const times = Object.fromEntries(all.map(([name]) => [name, [] as number[]]));
	const underWay = new Set<Promise<unknown>>();
	let unsent = 0;
	const timed = async (name: keyof Operations) => {
		const sentAt = performance.now();
		await operations[name]();
		times[name]?.push(performance.now() - sentAt);
	};
	const startedAt = performance.now();
	for (let passed = 0; passed < seconds; passed = (performance.now() - startedAt) / 1_000) {
		for (const [name, rate] of all) {
			for (let due = Math.floor(rate * passed) - (begun.get(name) ?? 0); due > 0; due -= 1) {
				begun.set(name, (begun.get(name) ?? 0) + 1);
				if (underWay.size >= maxUnderWay) {
					unsent += 1;
					continue;
				}
				const one = timed(name);
				underWay.add(one);
				one.then(() => underWay.delete(one));
			}
		}
		await wait(5);
	}
	await Promise.all(underWay);
	return { unsent, times };
}

/** Leases that should be live and are not, and output that is missing. */
async function losses(
	{ run }: LabDatabase,
	{ agents, held }: Pick<Users, 'agents'> & { held: readonly Lease[] },
) {
	// An agent learns with a small delay what has begun and ended.
	await wait(3_000);
	const [row] = await run(`select
		(select count(*) from leases where status = 'active') as active,
		(select count(*) from boards where status = 'in_use') as boards,
		(select sum(console_end) from leases) as offsets,
		(select sum(length(data)) from console_chunks where direction = 'output') as stored`);
	const numbers = [
		['leases that are active', Number(row?.active), held.length],
		['boards in use', Number(row?.boards), held.length],
		['leases that agents serve', agents.outputs.size, held.length],
		['console bytes by the offsets', Number(row?.offsets), agents.stored.bytes],
		['console bytes stored', Number(row?.stored), agents.stored.bytes],
	] as const;
	return numbers
		.filter(([, found, expected]) => found !== expected)
		.map(([name, found, expected]) => `${name}: ${found} instead of ${expected}`);
}
