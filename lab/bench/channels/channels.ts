// Channels: how long a byte takes to the board and back, how many bytes pass, and what that costs the service.
import { setTimeout as wait } from 'node:timers/promises';
import { BoardAccess, type SerialChannel } from 'board-access';
import { freePort } from '../../../core/test/support/free-port.ts';
import { startPostgres } from '../../../core/test/support/postgres.ts';
import { startEchoAgent } from '../../../service/test/support/echo-agent.ts';
import { newDatabase } from '../../support/database.ts';
import { shown, summaryOf, table } from '../../support/figures.ts';
import { processorTime } from '../../support/machine.ts';
import { builtCommand, createAgent, startService } from '../../support/service.ts';

interface Size {
	roundTrips: number;
	megabytes: number;
	idle: number;
}

const megabyte = 1024 * 1024;
const boardType = 'echo';

export async function channels(isQuick: boolean) {
	const size = isQuick
		? { roundTrips: 500, megabytes: 8, idle: 20 }
		: { roundTrips: 5_000, megabytes: 64, idle: 200 };
	const postgres = await startPostgres(['-c', 'fsync=on']);
	const rows: string[][] = [];
	for (const replicas of [1, 2]) {
		for (const way of ['WebSocket', 'requests'] as const) {
			const figures = await measure(postgres.url, { replicas, way, size });
			rows.push([`${way}, ${replicas === 1 ? 'one replica' : 'two replicas'}`, ...figures]);
		}
	}
	const head = ['', '1-byte round trip p50 / p95, ms', 'down / up, MB/s'];
	console.log(
		table(
			[...head, 'CPU of the service for a MB, down / up, ms', 'idle, ms of CPU a second'],
			rows,
		),
	);
	await postgres.remove();
}

interface Wanted {
	replicas: number;
	way: 'WebSocket' | 'requests';
	size: Size;
}

async function measure(cluster: string, { replicas, way, size }: Wanted) {
	await using database = await newDatabase(cluster);
	await using stack = new AsyncDisposableStack();
	const services: Awaited<ReturnType<typeof startService>>[] = [];
	while (services.length < replicas) {
		const port = await freePort();
		const started = startService({
			main: builtCommand,
			database: database.location,
			demo: services.length === 0,
			port,
			env: { REPLICA_URL: `http://127.0.0.1:${port}` },
		});
		services.push(stack.use(await started));
	}
	const [first, last] = [services[0], services.at(-1)];
	if (!first || !last) throw new Error('There is no service');
	const { apiKey } = first.credentials;
	const more = way === 'requests' ? { fetch } : {};
	const client = new BoardAccess({ baseUrl: first.url, apiKey, ...more });
	const names = Array.from({ length: size.idle / perLease }, (_, index) => `echo-${index}`);
	const boardIds = await Promise.all(
		names.map(async (name) => (await client.admin.boards.create({ name, boardType })).id),
	);
	const token = await createAgent(first.url, apiKey, boardIds);
	const bench = { baseUrl: last.url, token, boardIds, boardType };
	const { agent } = await startEchoAgent(bench, more);
	stack.defer(() => agent.stop());
	const cpu = async () => {
		const times = await Promise.all(services.map(({ pid }) => processorTime(pid)));
		return times.reduce((sum, time) => sum + time, 0) / 1000;
	};
	const leases = await Promise.all(boardIds.map(() => client.leases.create({ boardType })));
	const [lease] = leases;
	if (!lease) throw new Error('There is no lease');
	const echo = await lease.channel('serial', { port: 'echo' });
	const times = await roundTrips(echo, size.roundTrips);
	await echo.close();
	const down = await flow(await lease.channel('serial', { port: 'source' }), 'down', size, cpu);
	const up = await flow(await lease.channel('serial', { port: 'sink' }), 'up', size, cpu);
	const before = await costOfSecond(cpu);
	for (let index = 0; index < size.idle; index++) {
		await leases[index % leases.length]?.channel('serial', { port: 'sink' });
	}
	const idle = (await costOfSecond(cpu)) - before;
	for (const each of leases) await each.release();
	return [times, `${down.speed} / ${up.speed}`, `${down.cost} / ${up.cost}`, shown(idle)];
}

/** A lease has at most 16. */
const perLease = 10;

/** Milliseconds of processor time in a second without use. */
async function costOfSecond(cpu: () => Promise<number>) {
	const seconds = 5;
	const before = await cpu();
	await wait(seconds * 1000);
	return ((await cpu()) - before) / seconds;
}

/** From the board or to it. */
async function flow(
	channel: SerialChannel,
	direction: 'down' | 'up',
	{ megabytes }: Size,
	cpu: () => Promise<number>,
) {
	const bytes = megabytes * megabyte;
	const [before, startedAt] = [await cpu(), performance.now()];
	if (direction === 'down') {
		const reader = channel.readable.getReader();
		await channel.writable.getWriter().write(Buffer.from(String(bytes)));
		for (let left = bytes; left > 0; ) left -= (await reader.read()).value?.length ?? left;
	} else {
		const writer = channel.writable.getWriter();
		const piece = new Uint8Array(64 * 1024);
		for (let left = bytes; left > 0; left -= piece.length) await writer.write(piece);
		await writer.close();
	}
	const seconds = (performance.now() - startedAt) / 1000;
	const cost = shown(((await cpu()) - before) / megabytes);
	if (direction === 'down') await channel.close();
	return { speed: shown(megabytes / seconds), cost };
}

async function roundTrips(channel: SerialChannel, count: number) {
	const [writer, reader] = [channel.writable.getWriter(), channel.readable.getReader()];
	const times: number[] = [];
	for (let turn = 0; turn < count; turn++) {
		const startedAt = performance.now();
		await writer.write(Uint8Array.of(turn));
		await reader.read();
		times.push(performance.now() - startedAt);
	}
	writer.releaseLock();
	reader.releaseLock();
	const { p50, p95 } = summaryOf(times);
	return `${shown(p50)} / ${shown(p95)}`;
}
