// GET /v1/boards with a key: the service against the leanest server that does the same lookups.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pace } from '../pace.ts';
import type { Section, Table } from '../report.ts';
import { number, ratios, spreadOf, withSpread } from '../statistics.ts';
import { boardChanger, cpuOfMisses } from './changes.ts';
import { type Loader, loadTable, startLoader, watch } from './measure.ts';
import { pages } from './pages.ts';
import { startPostgres } from './postgres.ts';
import { seed } from './seed.ts';
import { type Server, startLean, startService } from './server.ts';
import { bySize } from './sizes.ts';

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
		return {
			title: 'The service',
			text: [
				`Authenticated \`GET /v1/boards?limit=20\`, requested by one more process over kept-alive connections; ${pace.rounds} rounds of ${pace.seconds} s in turns. The lean server looks up the same hash of the key and selects the same boards from the same database, each as JSON text that was written before, and does nothing else: no limits, no log, no metrics, no checks of the request, no request ID. The service runs as it is shipped, with its log going to \`/dev/null\`.`,
				'Server, load and database share the machine, so a second replica can only use what is left of it. Two processes and two load generators also disturb each other: compare the two replicas with two services that have one database each, and two lean servers with one.',
			],
			tables: [
				...(await against(bench)),
				...(await onMisses(bench)),
				await bySize(pace, loader, bench.file),
				await onPostgres(bench),
				...(await pages(pace, loader, bench.file('pages.db'))),
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

/** The lean server and the service on one database with few rows. */
async function startBoth(database: string) {
	const key = await seed(database, { keys: fewKeys, boards: fewBoards });
	const lean = await startLean(database);
	const service = await startService(database);
	const candidates = (connections: number) => [
		{ name: 'lean node:http', servers: [lean], key, path, connections },
		{ name: 'service', servers: [service], key, path, connections },
	];
	return { key, lean, service, candidates };
}

async function against({ pace, loader, file }: Bench) {
	const { lean, service, candidates } = await startBoth(file('few.db'));
	const tables: Table[] = [];
	for (const connections of [1, 16, 64]) {
		const title = `SQLite, 20 keys, 20 boards, ${counted(connections)}`;
		tables.push(loadTable(title, await watch(loader, candidates(connections), pace)));
	}
	await stopAll([lean, service]);
	return tables;
}

async function onMisses({ pace, loader, file }: Bench): Promise<Table[]> {
	const database = file('misses.db');
	const { key, lean, service, candidates } = await startBoth(database);
	const changer = boardChanger(database);
	const everySecond = setInterval(changer.change, 1_000);
	const seen = await watch(loader, candidates(16), pace);
	clearInterval(everySecond);
	const cpu = { lean: [] as number[], service: [] as number[] };
	for (let round = 0; round < pace.rounds; round += 1) {
		const asking = { key, path, requests: pace.misses };
		cpu.lean.push(await cpuOfMisses(changer.change, { server: lean, ...asking }));
		cpu.service.push(await cpuOfMisses(changer.change, { server: service, ...asking }));
	}
	changer.close();
	await stopAll([lean, service]);
	return [
		loadTable('A board changes every second (SQLite, 20 keys, 20 boards, 16 connections)', seen),
		{
			title: 'A board changes before every request (SQLite, 20 keys, 20 boards, one at a time)',
			head: ['', 'CPU of the server, µs a request', 'CPU, × lean node:http'],
			rows: [
				['lean node:http', number(spreadOf(cpu.lean).median), '1'],
				[
					'service',
					number(spreadOf(cpu.service).median),
					withSpread(ratios(cpu.service, cpu.lean)),
				],
			],
		},
	];
}

async function onPostgres({ pace, loader }: Bench) {
	const postgres = await startPostgres();
	try {
		const key = await seed(postgres.url, { keys: fewKeys, boards: fewBoards });
		const copy = await postgres.copyDatabase();
		const lean = await startLean(postgres.url);
		const secondLean = await startLean(postgres.url);
		const one = await startService(postgres.url);
		const two = await startService(postgres.url);
		const apart = await startService(copy);
		const common = { key, path, connections: 16 };
		const seen = await watch(
			loader,
			[
				{ name: 'lean node:http', servers: [lean], ...common },
				{ name: 'service', servers: [one], ...common },
				// Each with as many connections as the one.
				{ name: 'service, two replicas', servers: [one, two], ...common, connections: 32 },
				// What two processes cost on this machine when they share nothing, or do no more than they must.
				{
					name: 'two services, one database each',
					servers: [one, apart],
					...common,
					connections: 32,
				},
				{ name: 'two lean node:http', servers: [lean, secondLean], ...common, connections: 32 },
			],
			pace,
		);
		await stopAll([lean, secondLean, one, two, apart]);
		const title = 'PostgreSQL, 20 keys, 20 boards, 16 connections to each server';
		return loadTable(title, seen);
	} finally {
		await postgres.remove();
	}
}
