// Channels whose connections are cut, and whose ends are connected to several replicas.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { BoardAccess } from 'board-access';
import { afterEach, describe, expect, test } from 'vitest';
import { type Backend, onPostgres } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { startEchoAgent } from '../support/echo-agent.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A way to a service that can be cut, and led elsewhere. */
async function openWay(to: () => string) {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		const { hostname, port } = new URL(to());
		const upstream = connect(Number(port), hostname);
		for (const [one, other] of [
			[socket, upstream],
			[upstream, socket],
		] as const) {
			sockets.add(one);
			one.pipe(other);
			one.on('error', () => other.destroy());
			one.on('close', () => {
				sockets.delete(one);
				other.destroy();
			});
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const cut = () => {
		for (const socket of sockets) socket.destroy();
	};
	cleanups.push(async () => {
		server.close();
		cut();
	});
	const address = server.address();
	return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, cut };
}

async function openReplicas() {
	const first = await openBench(onPostgres, { boardType: 'echo' });
	cleanups.push(() => first.close());
	const { database } = first.services.settings;
	const second = await onPostgres.open({ database, demo: false });
	cleanups.push(() => second.close());
	return { first, second };
}

/** Their addresses are known only now. */
function nameReplicas(...replicas: Pick<Backend, 'services' | 'baseUrl'>[]) {
	for (const { services, baseUrl } of replicas)
		Object.assign(services.settings, { replicaUrl: baseUrl });
}

async function leaseEcho(baseUrl: string, apiKey: string, options = {}) {
	const client = new BoardAccess({ baseUrl, apiKey, ...options });
	return client.leases.create({ boardType: 'echo' });
}

const numbers = (count: number) =>
	Buffer.from(Uint32Array.from({ length: count }, (_, n) => n).buffer);

/** Reads so many bytes. */
async function collect(readable: ReadableStream<Uint8Array>, length: number) {
	const pieces: Uint8Array[] = [];
	let size = 0;
	const reader = readable.getReader();
	while (size < length) {
		const { done, value } = await reader.read();
		if (done) break;
		pieces.push(value);
		size += value.length;
	}
	reader.releaseLock();
	return Buffer.concat(pieces);
}

describe.each([
	{ name: 'over WebSockets', more: {} },
	{ name: 'over requests', more: { fetch } },
])('$name', ({ more }) => {
	test('a connection that is cut again and again loses no byte and repeats none', async () => {
		const bench = await openBench(onPostgres, { boardType: 'echo' });
		cleanups.push(() => bench.close());
		const [mine, agents] = [await openWay(() => bench.baseUrl), await openWay(() => bench.baseUrl)];
		const { agent } = await startEchoAgent({ ...bench, baseUrl: agents.url }, more);
		cleanups.push(() => agent.stop());
		const lease = await leaseEcho(mine.url, bench.apiKey, more);
		const echo = await lease.channel('serial', { port: 'echo' });
		const sent = numbers(200_000);
		const cutting = setInterval(() => mine.cut(), 150);
		cleanups.push(() => clearInterval(cutting));
		const writer = echo.writable.getWriter();
		const writing = (async () => {
			for (let at = 0; at < sent.length; at += 5_000) {
				await writer.write(sent.subarray(at, at + 5_000));
				if (at === 400_000) agents.cut();
			}
		})();
		const arrived = await collect(echo.readable, sent.length);
		clearInterval(cutting);
		await writing;
		expect(arrived.equals(sent)).toBe(true);
	});

	test('the user and the agent are connected to different replicas', async () => {
		const { first, second } = await openReplicas();
		nameReplicas(first, second);
		const { agent } = await startEchoAgent({ ...first, baseUrl: second.baseUrl }, more);
		cleanups.push(() => agent.stop());
		const lease = await leaseEcho(first.baseUrl, first.apiKey, more);
		const echo = await lease.channel('serial', { port: 'echo' });
		const sent = numbers(100_000);
		const writer = echo.writable.getWriter();
		const writing = writer.write(sent);
		expect((await collect(echo.readable, sent.length)).equals(sent)).toBe(true);
		await writing;
	});

	test('a user whose replica is gone goes on over another', async () => {
		const { first, second } = await openReplicas();
		nameReplicas(first, second);
		let to = second.baseUrl;
		const way = await openWay(() => to);
		const { agent } = await startEchoAgent(first, more);
		cleanups.push(() => agent.stop());
		const lease = await leaseEcho(way.url, first.apiKey, more);
		const echo = await lease.channel('serial', { port: 'echo' });
		const sent = numbers(20_000);
		const writer = echo.writable.getWriter();
		await writer.write(sent);
		to = first.baseUrl;
		way.cut();
		const arrived = collect(echo.readable, 2 * sent.length);
		await writer.write(sent);
		expect((await arrived).equals(Buffer.concat([sent, sent]))).toBe(true);
	});
});

test('without an address of the replica, the agent is told why', async () => {
	const { first, second } = await openReplicas();
	const { agent } = await startEchoAgent(first);
	cleanups.push(() => agent.stop());
	const lease = await leaseEcho(first.baseUrl, first.apiKey);
	await using _echo = await lease.channel('serial', { port: 'echo' });
	const { query } = first.services.database;
	const { id } = await query.selectFrom('channels').select('id').executeTakeFirstOrThrow();
	const response = await second.fetch(`${second.baseUrl}/v1/channels/${id}`, {
		method: 'POST',
		headers: { authorization: `Ticket ${'0'.repeat(48)}` },
	});
	expect(response.status).toBe(409);
	expect((await response.json()).error).toMatchObject({
		code: 'channel_elsewhere',
		hint: expect.stringContaining('REPLICA_URL'),
	});
});
