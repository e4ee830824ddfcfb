// Emulated boards and the client: from a key to its echo, from a lease to flashed firmware, and boards that flood.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { BoardAccess, type Lease } from '../../dist/index.js';
import {
	emulated,
	importBoards,
	runCommand,
	sampleFirmware,
	startAgent,
} from '../../service/test/siege/lab.ts';
import { summaryOf } from '../../service/test/siege/report.ts';
import type { Pace } from '../pace.ts';
import { main, processOf } from '../service/server.ts';
import { type Figure, type Finding, figure } from './figures.ts';
import type { Lab, Site } from './lab.ts';

const boardType = 'arduino-uno';

/** A lab with an agent in its own process; its boards are connected to the first replica. */
async function withUnos(lab: Lab, count: number) {
	const { location } = lab.database;
	const ids = Array.from({ length: count }, (_, index) => `brd_uno_${index}`);
	const records = ids.map((id) => ({ id, name: id, board_type: boardType }));
	await importBoards(main, location, records);
	const token = await runCommand(main, location, 'agent', 'create', 'unos', '--board', ...ids);
	const agent = await startAgent(lab.origins[0] ?? '', token, ids.map(emulated));
	const client = new BoardAccess({ baseUrl: lab.origins.at(-1) ?? '', apiKey: lab.keys[0] ?? '' });
	for (let attempts = 0; attempts < 400; attempts += 1) {
		const free = await client.boards.list({ boardType, status: 'available' });
		if (free.length === count) break;
		await wait(50);
	}
	return { client, agent: processOf(agent.pid), [Symbol.asyncDispose]: agent[Symbol.asyncDispose] };
}

const benches = [
	{ kind: 'SQLite', replicas: 1, most: 10, before: '33 ms' },
	{ kind: 'PostgreSQL', replicas: 1, most: 15, before: '44 ms' },
	{ kind: 'PostgreSQL', replicas: 2, most: 20, before: '' },
] as const;

export async function echo(site: Site, { keys }: Pace['leases']): Promise<Finding> {
	const figures: Figure[] = [];
	for (const { kind, replicas, most, before } of benches) {
		await using lab = await site.open(kind, { agents: 0, replicas });
		await using unos = await withUnos(lab, 1);
		await using lease = await unos.client.leases.create({ boardType });
		await lease.flash(await readFile(sampleFirmware));
		await lease.console.expect(/Hello/);
		await echoTimes(lease, 'warm', 20);
		const { p50, p95 } = summaryOf(await echoTimes(lease, 'key', keys));
		const name = replicas === 1 ? kind : `${kind}, ${replicas} replicas`;
		figures.push(figure(`${name}: p50`, p50, 'ms', { most, before }));
		figures.push(figure(`${name}: p95`, p95, 'ms'));
	}
	return {
		title: 'From a key to its echo',
		text: `${keys} times, after 20 to warm up: a short line is written with the client, and an emulated Arduino Uno sends it back in upper case. With two replicas, the agent is connected to one and the user to the other.`,
		figures,
	};
}

async function echoTimes(lease: Lease, word: string, count: number) {
	const times: number[] = [];
	for (let index = 0; index < count; index += 1) {
		const startedAt = performance.now();
		const seen = lease.console.expect(`${word.toUpperCase()}${index}.`);
		await lease.console.write(`${word}${index}.\r`);
		await seen;
		times.push(performance.now() - startedAt);
		await wait(20 + Math.random() * 30);
	}
	return times;
}

export async function uno(site: Site, { flashes }: Pace['leases']): Promise<Finding> {
	await using lab = await site.open('PostgreSQL', { agents: 0 });
	await using unos = await withUnos(lab, 1);
	const firmware = await readFile(sampleFirmware);
	const steps: Record<string, number[]> = { lease: [], flash: [], together: [], output: [] };
	for (let round = -2; round < flashes; round += 1) {
		const startedAt = performance.now();
		const passed = () => performance.now() - startedAt;
		await using lease = await unos.client.leases.create({ boardType });
		const leased = passed();
		await lease.flash(firmware);
		const flashed = passed();
		await lease.console.expect(/Hello/);
		// The first rounds warm up.
		if (round < 0) continue;
		steps.lease?.push(leased);
		steps.flash?.push(flashed - leased);
		steps.together?.push(flashed);
		steps.output?.push(passed());
	}
	const p50 = (name: string) => summaryOf(steps[name] ?? []).p50 / 1000;
	return {
		title: 'From a lease to a flashed Arduino Uno (PostgreSQL)',
		text: `${flashes} times, after 2 to warm up, with the client and an emulated board that is free. Preparing the board is a power cycle and a reset.`,
		figures: [
			figure('from create until the firmware is flashed, p50', p50('together'), 's', {
				most: 0.2,
				before: '0.38 s',
			}),
			figure('of that, until the lease is active', p50('lease'), 's'),
			figure('of that, upload and flash', p50('flash'), 's'),
			figure('from create to the first line of the firmware, p50', p50('output'), 's'),
		],
	};
}

/** Sends the same byte as fast as the serial port of a Uno can. */
const flood = hexFile([
	// UBRR0 = 16; UCSR0A = U2X0; UCSR0B = TXEN0: 115,200 baud.
	...[0xe100, 0x9300, 0x00c4, 0xe002, 0x9300, 0x00c0, 0xe008, 0x9300, 0x00c1],
	// do {} while (!(UCSR0A & UDRE0)); UDR0 = 'x'; for ever.
	...[0xe718, 0x9100, 0x00c0, 0xff05, 0xcffc, 0x9310, 0x00c6, 0xcff9],
]);

function hexFile(words: readonly number[]) {
	const bytes = words.flatMap((word) => [word & 0xff, word >> 8]);
	const line = (type: number, address: number, data: readonly number[]) => {
		const all = [data.length, address >> 8, address & 0xff, type, ...data];
		const sum = all.reduce((total, byte) => total + byte, 0);
		return `:${Buffer.from([...all, -sum & 0xff])
			.toString('hex')
			.toUpperCase()}\n`;
	};
	return Buffer.from(line(0, 0, bytes) + line(1, 0, []));
}

export async function flooding(
	site: Site,
	{ floodingBoards: count, seconds }: Pace['leases'],
): Promise<Finding> {
	await using lab = await site.open('PostgreSQL', { agents: 0 });
	await using unos = await withUnos(lab, count);
	const leases = await Promise.all(
		Array.from({ length: count }, () => unos.client.leases.create({ boardType })),
	);
	const cut = new AbortController();
	let bytes = 0;
	for (const lease of leases) {
		await lease.flash(flood);
		void (async () => {
			for await (const chunk of lease.console.read({ signal: cut.signal })) bytes += chunk.length;
		})().catch(() => {});
	}
	await wait(seconds * 1_000);
	const [before, agentBefore] = [bytes, await unos.agent.cpu()];
	const { used, seconds: passed } = await lab.measure(() => wait(seconds * 1_000));
	const rate = (bytes - before) / passed / count / 1_000;
	const agent = ((await unos.agent.cpu()) - agentBefore) / passed;
	cut.abort();
	for (const lease of leases) await lease.release();
	const cores = (milliseconds: number) => milliseconds / passed / 1_000;
	return {
		title: `${count} emulated boards that print as fast as they can (PostgreSQL)`,
		text: `A byte after the other at 115,200 baud, each board with one reader, after ${seconds} s to begin. A real wire carries 11.5 kB/s.`,
		figures: [
			figure('read of each board a second', rate, 'kB', { least: 11.4, before: 'less than 11.5' }),
			figure('agent with the emulators', agent, 'cores'),
			figure('service', cores(used.service), 'cores'),
			figure('PostgreSQL', cores(used.database), 'cores'),
			figure('readers', cores(used.harness), 'cores'),
		],
	};
}
