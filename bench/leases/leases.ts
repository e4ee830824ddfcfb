// Leases: how quickly a board is ready, how quickly it echoes, what its agent costs.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { BoardAccess, type Lease } from '../../dist/index.js';
import { summaryOf } from '../../service/test/siege/report.ts';
import { here } from '../child.ts';
import type { Pace } from '../pace.ts';
import type { Section, Table } from '../report.ts';
import { number } from '../statistics.ts';
import { type Lab, openLab } from './lab.ts';

export async function leases(pace: Pace['leases']): Promise<Section> {
	await using lab = await openLab();
	const client = new BoardAccess({ baseUrl: lab.replicas[1].origin, apiKey: lab.apiKey });
	await removeBaseImages(client);
	await boardsOnline(client);
	return {
		title: 'Leases',
		text: [
			'Two replicas on one PostgreSQL; the agent with two emulated Arduino Unos is connected to one, the user to the other. All processes share the machine.',
		],
		tables: [
			await latencies(client, pace),
			await rates(client, pace),
			await agentAtRest(client, lab, pace),
		],
	};
}

/** The samples come from an address that does not exist; a board without base images is only reset. */
async function removeBaseImages(client: BoardAccess) {
	for (const { id } of await client.admin.baseImages.list({ boardType: 'arduino-uno' })) {
		await client.admin.baseImages.delete(id);
	}
}

async function boardsOnline(client: BoardAccess) {
	for (let attempts = 0; attempts < 200; attempts += 1) {
		const free = await client.boards.list({ boardType: 'arduino-uno', status: 'available' });
		if (free.length === 2) return;
		await wait(50);
	}
	throw new Error('The boards of the agent did not come online');
}

function spreadRow(name: string, values: readonly number[]) {
	const { p50, p95 } = summaryOf(values);
	return [name, number(p50), number(p95), String(values.length)];
}

async function latencies(client: BoardAccess, pace: Pace['leases']): Promise<Table> {
	const firmware = await readFile(here('../agent/firmware/uno-sample.hex'));
	const starts: number[] = [];
	for (let round = 0; round < pace.rounds; round += 1) {
		const startedAt = performance.now();
		await using lease = await client.leases.create({ boardType: 'arduino-uno' });
		await lease.flash(firmware);
		await lease.console.expect(/Hello/);
		starts.push(performance.now() - startedAt);
	}
	await using lease = await client.leases.create({ boardType: 'arduino-uno' });
	await lease.flash(firmware);
	await lease.console.expect(/Hello/);
	const echoes = await echoTimes(lease, pace.keys);
	return {
		title: 'Latency for the user',
		head: ['', 'median, ms', '95 %, ms', 'times'],
		rows: [
			spreadRow('from `leases.create` to the first byte of the firmware', starts),
			spreadRow('from a line typed to its echo, over two replicas', echoes),
		],
	};
}

async function echoTimes(lease: Lease, count: number) {
	const times: number[] = [];
	for (let index = 0; index < count; index += 1) {
		const startedAt = performance.now();
		const seen = lease.console.expect(`KEY${index}.`);
		await lease.console.write(`key${index}.\r`);
		await seen;
		times.push(performance.now() - startedAt);
		await wait(20);
	}
	return times;
}

async function rates(client: BoardAccess, pace: Pace['leases']): Promise<Table> {
	const [board] = await client.boards.list({ status: 'available' });
	if (!board) throw new Error('No board is available');
	const perSecond = async (work: () => Promise<unknown>) => {
		const startedAt = performance.now();
		for (let index = 0; index < pace.requests; index += 1) await work();
		return (pace.requests * 1000) / (performance.now() - startedAt);
	};
	const reserved = await client.leases.create({ boardId: board.id }, { renew: false });
	const rows = [
		[
			'`GET /v1/boards` (20 records)',
			await perSecond(() => client.boards.list({ pageSize: 20 }).first(20)),
		],
		['`GET /v1/leases/{id}`', await perSecond(() => reserved.refresh())],
		['renew', await perSecond(() => reserved.renew({ minutes: 2 }))],
	] as [string, number][]; // a name and a rate
	await reserved.release();
	const body = { board_id: board.id };
	const cycle = async () => {
		const lease = (await client.request({ method: 'POST', path: '/v1/leases', json: body })) as {
			id: string; // what the service responds with
		};
		await client.request({ method: 'DELETE', path: `/v1/leases/${lease.id}` });
	};
	rows.push(['create and release', await perSecond(cycle)]);
	const base = rows[0]?.[1] ?? Number.NaN;
	return {
		title: 'Requests one after the other, on PostgreSQL',
		head: ['', 'a second', '× `GET /v1/boards`'],
		rows: rows.map(([name, rate]) => [name, number(rate), (rate / base).toFixed(2)]),
	};
}

async function agentAtRest(client: BoardAccess, lab: Lab, pace: Pace['leases']): Promise<Table> {
	const rows: string[][] = [];
	const measure = async (name: string) => {
		const before = await lab.agent.cpu();
		await wait(pace.restMilliseconds);
		const used = (await lab.agent.cpu()) - before;
		const share = (used * 1000) / pace.restMilliseconds;
		const megabytes = (await lab.agent.resident()) / 1e6;
		rows.push([name, share.toFixed(3), megabytes.toFixed(0)]);
	};
	await measure('no lease');
	const firmware = await readFile(here('../agent/firmware/uno-sample.hex'));
	await using first = await client.leases.create({ boardType: 'arduino-uno' });
	await first.flash(firmware);
	await measure('one board, firmware waiting for input');
	await using second = await client.leases.create({ boardType: 'arduino-uno' });
	await second.flash(firmware);
	await measure('two boards, firmware waiting for input');
	return {
		title: 'The agent',
		head: ['', 'CPU, share of a core', 'resident, MB'],
		rows,
	};
}
