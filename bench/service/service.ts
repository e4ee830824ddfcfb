// GET /v1/boards with a key: the service against bare servers that do the same lookups.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pace } from '../pace.ts';
import { bars } from '../report/chart.ts';
import type { Section, Table } from '../report/section.ts';
import { number, spreadOf } from '../statistics.ts';
import {
	type Candidate,
	type Loader,
	loadTable,
	rateRatios,
	startLoader,
	watch,
} from './measure.ts';
import { startPostgres } from './postgres.ts';
import { type Size, seed } from './seed.ts';
import { type Server, startBare, startLean, startService, timeDemo } from './server.ts';

const path = '/v1/boards?limit=20';
const fewKeys = 20;
const fewBoards = 20;

interface Bench {
	pace: Pace['service'];
	loader: Loader;
	/** The path of a new SQLite file. */
	file: (name: string) => string;
}

export async function service(pace: Pace['service']): Promise<Section> {
	const folder = await mkdtemp(join(tmpdir(), 'bench-service-'));
	const loader = await startLoader();
	const bench: Bench = { pace, loader, file: (name) => join(folder, name) };
	try {
		const { tables, plotted } = await against(bench);
		return {
			name: 'service',
			title: 'The service',
			text: [
				`Authenticated \`GET /v1/boards?limit=20\`, asked by ${loader.name} over kept-alive connections; ${pace.rounds} rounds of ${pace.seconds} s in turns. The bare servers look up the same hash of the key and select the same boards from the same database, and do nothing else: no limits, no log, no metrics, no checks of the request, no request id. The lean one finds each record as JSON text that was written before. The service runs as it is shipped, its log going to \`/dev/null\`.`,
				'Server, load and database share the machine, so a second replica can only win what is left of it.',
			],
			plots: [
				await bars({
					name: 'service-rate',
					title: 'Requests per second, × bare node:http (SQLite)',
					bars: plotted,
				}),
			],
			tables: [
				...tables,
				await bySize(bench),
				await onPostgres(bench),
				await starts(bench),
				await memoryOverTime(bench),
			],
		};
	} finally {
		loader.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

function counted(connections: number) {
	return `${connections} ${connections === 1 ? 'connection' : 'connections'}`;
}

function stopAll(servers: readonly Server[]) {
	return Promise.all(servers.map((server) => server.stop()));
}

async function against({ pace, loader, file }: Bench) {
	const database = file('few.db');
	const key = await seed(database, { keys: fewKeys, boards: fewBoards });
	const bare = await startBare('node:http', database);
	const lean = await startLean(database);
	const hono = await startBare('Hono', database);
	const service = await startService(database);
	const tables: Table[] = [];
	const plotted = [];
	for (const connections of [1, 16, 64]) {
		const common = { key, path, connections };
		const seen = await watch(
			loader,
			[
				{ name: 'bare node:http', servers: [bare], ...common },
				{ name: 'lean node:http', servers: [lean], ...common },
				{ name: 'bare Hono', servers: [hono], ...common },
				{ name: 'service', servers: [service], ...common },
			],
			pace,
		);
		tables.push(loadTable(`SQLite, 20 keys, 20 boards, ${counted(connections)}`, seen));
		for (const name of ['lean node:http', 'bare Hono', 'service']) {
			const label = `${name}, ${counted(connections)}`;
			plotted.push({ name: label, ...rateRatios(seen, name, 'bare node:http') });
		}
	}
	await stopAll([bare, lean, hono, service]);
	return { tables, plotted };
}

function sizes(pace: Pace['service']): Size[] {
	return [
		...pace.keys.map((keys) => ({ keys, boards: fewBoards })),
		...pace.boards.slice(1).map((boards) => ({ keys: fewKeys, boards })),
	];
}

async function halfWay(origin: string, key: string, boards: number) {
	let cursor = '';
	for (let seen = 0; seen < boards / 2; seen += 200) {
		const after = cursor && `&cursor=${encodeURIComponent(cursor)}`;
		const response = await fetch(`${origin}/v1/boards?limit=200${after}`, {
			headers: { authorization: `Bearer ${key}` },
		});
		cursor = ((await response.json()) as { next_cursor: string }).next_cursor; // more pages follow
	}
	return `${path}&cursor=${encodeURIComponent(cursor)}`;
}

async function bySize({ pace, loader, file }: Bench) {
	const candidates: Candidate[] = [];
	for (const { keys, boards } of sizes(pace)) {
		const database = file(`${keys}-${boards}.db`);
		const key = await seed(database, { keys, boards });
		const servers = [await startService(database)];
		const name = `${number(keys)} keys, ${number(boards)} boards`;
		const common = { servers, key, connections: 16 };
		candidates.push({ name, path, ...common });
		if (boards > fewBoards) {
			const deep = await halfWay(servers[0]?.origin ?? '', key, boards);
			candidates.push({ name: `${name}, page half way down`, path: deep, ...common });
		}
	}
	const seen = await watch(loader, candidates, pace);
	await stopAll([...new Set(candidates.flatMap(({ servers }) => servers))]);
	return loadTable('The service by what is stored (SQLite, 16 connections, pages of 20)', seen);
}

async function onPostgres({ pace, loader }: Bench) {
	const postgres = await startPostgres();
	try {
		const key = await seed(postgres.url, { keys: fewKeys, boards: fewBoards });
		const bare = await startBare('node:http', postgres.url);
		const lean = await startLean(postgres.url);
		const one = await startService(postgres.url);
		const two = await startService(postgres.url);
		const common = { key, path, connections: 16 };
		const seen = await watch(
			loader,
			[
				{ name: 'bare node:http', servers: [bare], ...common },
				{ name: 'lean node:http', servers: [lean], ...common },
				{ name: 'service', servers: [one], ...common },
				{ name: 'service, two replicas', servers: [one, two], ...common },
			],
			pace,
		);
		await stopAll([bare, lean, one, two]);
		return loadTable('PostgreSQL, 20 keys, 20 boards, 16 connections', seen);
	} finally {
		await postgres.stop();
	}
}

async function starts({ pace }: Bench): Promise<Table> {
	const times: number[] = [];
	for (let index = 0; index < pace.starts; index += 1) times.push(await timeDemo());
	const { median, low, high } = spreadOf(times);
	return {
		title: 'Start of the service in demo mode, to its first answer',
		head: ['', 'median, ms', 'first quarter', 'third quarter'],
		rows: [['node main.js start --demo', number(median), number(low), number(high)]],
	};
}

function megabytes(bytes: number) {
	return (bytes / 1e6).toFixed(0);
}

async function memoryOverTime({ pace, loader, file }: Bench): Promise<Table> {
	const database = file('memory.db');
	const key = await seed(database, { keys: fewKeys, boards: fewBoards });
	const server = await startService(database);
	const rows: string[][] = [];
	let done = 0;
	for (const requests of pace.requests) {
		const urls = [server.origin + path];
		await loader.load({ urls, key, connections: 16, requests: requests - done });
		done = requests;
		rows.push([number(requests), megabytes(await server.resident())]);
	}
	await server.stop();
	return { title: 'Memory of the service', head: ['requests', 'resident, MB'], rows };
}
