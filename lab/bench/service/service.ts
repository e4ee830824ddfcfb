// GET /v1/boards with a key: the service against the leanest server that does the same lookups, on SQLite.
import { setTimeout as wait } from 'node:timers/promises';
import { newDatabase } from '../../support/database.ts';
import { ratio, shown, spreadOf, table } from '../../support/figures.ts';
import { startLoad } from '../../support/load.ts';
import { processorTime } from '../../support/machine.ts';
import { builtCommand as main, seedDatabase, startService } from '../../support/service.ts';
import { start } from '../child.ts';

interface Server {
	url: string;
	pid: number;
}

/** Requests a second and microseconds of processor time for each, round by round. */
interface Costs {
	rate: number[];
	cpu: number[];
}

export async function service(isQuick: boolean) {
	const [rounds, seconds] = isQuick ? [1, 1] : [9, 2];
	await using database = await newDatabase();
	const { apiKey } = await seedDatabase(main, database.location);
	await copyRecords(database, apiKey);
	await using service = await startService({ main, database: database.location });
	const { child, first } = await start<string>('service/lean.ts', { database: database.location });
	const lean = { url: first, pid: child.pid ?? 0 };
	for (const connections of [1, 16, 64]) {
		const costs: Record<'lean' | 'service', Costs> = {
			lean: { rate: [], cpu: [] },
			service: { rate: [], cpu: [] },
		};
		// The first round warms up.
		for (let round = -1; round < rounds; round += 1) {
			for (const [name, server] of [['lean', lean] as const, ['service', service] as const]) {
				const { rate, cpu } = await look(server, { apiKey, connections, seconds });
				if (round < 0) continue;
				costs[name].rate.push(rate);
				costs[name].cpu.push(cpu);
			}
		}
		console.log(`\n${connections} connections\n\n${tableOf(costs)}`);
	}
	child.disconnect();
}

/** The boards as the service sends them, as text in a table of their own. */
async function copyRecords({ location, run }: Database, apiKey: string) {
	await using service = await startService({ main, database: location });
	const headers = { authorization: `Bearer ${apiKey}` };
	const response = await fetch(`${service.url}/v1/boards?limit=20`, { headers });
	const { data } = (await response.json()) as { data: object[] }; // a page of boards
	await run('create table lean_boards (id integer primary key, record text not null)');
	const rows = data.map((board, id) => `(${id}, '${JSON.stringify(board).replaceAll("'", "''")}')`);
	await run(`insert into lean_boards values ${rows}`);
}

type Database = Awaited<ReturnType<typeof newDatabase>>;

async function look(
	{ url, pid }: Server,
	{ apiKey, connections, seconds }: { apiKey: string; connections: number; seconds: number },
) {
	const lines = ['GET /v1/boards?limit=20 HTTP/1.1', 'Host: localhost'];
	const head = [...lines, `Authorization: Bearer ${apiKey}`, '', ''].join('\r\n');
	const load = startLoad([{ url, connections, requests: [{ head }] }]);
	await load.begun;
	const before = await processorTime(pid);
	const startedAt = performance.now();
	await wait(seconds * 1_000);
	const passed = (performance.now() - startedAt) / 1_000;
	const used = (await processorTime(pid)) - before;
	const { requests, statuses } = await load.stop();
	if (Object.keys(statuses).join() !== '200') throw new Error(JSON.stringify(statuses));
	return { rate: requests / passed, cpu: used / requests };
}

function tableOf(costs: Record<string, Costs>) {
	const base = costs.lean ?? { rate: [], cpu: [] };
	const rows = Object.entries(costs).map(([name, { rate, cpu }]) => [
		...[name, shown(spreadOf(rate).median), ratio(rate, base.rate)],
		...[shown(spreadOf(cpu).median), ratio(cpu, base.cpu)],
	]);
	return table(['', 'requests/s', '× lean', 'CPU of the server, µs', '× lean'], rows);
}
