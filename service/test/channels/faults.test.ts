// What a channel withstands, and when it has to end.
import { once } from 'node:events';
import { request } from 'node:http';
import { BoardAccess } from 'board-access';
import {
	decodeFrame,
	encodeFrame,
	type Frame,
	frameOf,
	messageFrame,
	messageIn,
} from 'board-access-contract';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { runs } from '../../../test/support/runs.ts';
import { onPostgres, onSqlite } from '../support/backends.ts';
import { type Bench, openBench } from '../support/bench.ts';
import { startEchoAgent } from '../support/echo-agent.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const channelOf = { kind: 'serial', port: 'echo' } as const;

/** A connection by hand: a WebSocket, and the frames that it gets. */
async function connectByHand({ baseUrl }: Bench, id: string, first?: Frame) {
	const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/channels/${id}`);
	cleanups.push(() => socket.terminate());
	const frames: Frame[] = [];
	socket.on('message', (data: Buffer) => {
		const frame = decodeFrame(data);
		if (frame) frames.push(frame);
	});
	const closed = once(socket, 'close');
	socket.on('error', () => {});
	await once(socket, 'open');
	if (first) socket.send(encodeFrame(first));
	const until = (type: Frame['type']) =>
		expect.poll(() => frames.find((frame) => frame.type === type)).toBeDefined();
	return { socket, frames, closed, until };
}

const ticketFrame = (ticket: string) => frameOf('open', 0, Buffer.from(ticket));

describe('over a socket', () => {
	let bench: Bench;
	let echo: Awaited<ReturnType<typeof startEchoAgent>>;
	let client: BoardAccess;
	beforeAll(async () => {
		bench = await openBench(onPostgres, { boardType: 'echo', rateLimitFailedCredentials: 1e9 });
		echo = await startEchoAgent(bench);
		client = new BoardAccess({ baseUrl: bench.baseUrl, apiKey: bench.apiKey });
	});
	afterAll(async () => {
		await echo.agent.stop();
		await bench.close();
	});

	async function lease() {
		const held = await client.leases.create({ boardType: 'echo' });
		cleanups.push(() => held.release());
		return held;
	}

	async function ticketFor(leaseId: string, input: object = channelOf) {
		const { status, body } = await bench.user.json(`/leases/${leaseId}/channels`, 'POST', input);
		expect(status).toBe(201);
		return body as { id: string; ticket: string };
	}

	test('a ticket opens one connection', async () => {
		const { id, ticket } = await ticketFor((await lease()).id);
		const first = await connectByHand(bench, id, ticketFrame(ticket));
		await first.until('attached');
		const second = await connectByHand(bench, id, ticketFrame(ticket));
		await second.closed;
		expect(messageIn(second.frames[0] ?? frameOf('ping'))).toMatchObject({
			code: 'ticket_invalid',
		});
		expect(first.socket.readyState).toBe(WebSocket.OPEN);
	});

	test('who sends more than there is room for is cut off, and nobody else', async () => {
		const held = await lease();
		const other = await held.channel('serial', { port: 'sink' });
		const { id, ticket } = await ticketFor(held.id);
		const flood = await connectByHand(bench, id, ticketFrame(ticket));
		await flood.until('attached');
		flood.socket.send(encodeFrame(frameOf('resume')));
		const payload = Buffer.alloc(16 * 1024);
		for (let count = 0; count < 40; count++) {
			flood.socket.send(encodeFrame(frameOf('data', count * payload.length, payload)));
		}
		await flood.closed;
		expect(messageIn(flood.frames.at(-1) ?? frameOf('ping'))).toMatchObject({ code: 'overrun' });
		const writer = other.writable.getWriter();
		await writer.write(Buffer.from('still here'));
		await expect.poll(() => echo.ports.written.sink).toBeGreaterThanOrEqual(10);
	});

	test('a tool that never reads ends its own channel only', async () => {
		const held = await lease();
		const idle = await held.channel('serial', { port: 'echo' });
		const events = echo.ports.open.get('echo');
		// As a board prints that nothing can hold back.
		const printed = Array.from({ length: 100 }, () => events?.output(new Uint8Array(16 * 1024)));
		expect(await idle.closed).toMatchObject({ code: 'overrun' });
		await Promise.all(printed);
		expect(held.status).toBe('active');
		await (await held.channel('serial', { port: 'echo' })).close();
	});

	test('an end with strange fields ends the channel, and nothing else', async () => {
		const held = await lease();
		const { id, ticket } = await ticketFor(held.id);
		const hostile = await connectByHand(bench, id, ticketFrame(ticket));
		await hostile.until('attached');
		const message = { toString: 1, [Symbol.toPrimitive]: undefined };
		hostile.socket.send(encodeFrame(messageFrame('end', { code: { x: 1 }, message })));
		await hostile.closed;
		// The agent is still there.
		await (await held.channel('serial', { port: 'sink' })).close();
	});

	test('a port that prints without end is opened, and its settings are read', async () => {
		const held = await lease();
		const printing = setInterval(
			() => void echo.ports.open.get('echo')?.output(Buffer.from('still printing')),
			1,
		);
		cleanups.push(() => clearInterval(printing));
		for (let turn = 0; turn < 3; turn++) {
			const channel = await held.channel('serial', { port: 'echo' });
			expect(channel.line.baud).toBe(115_200);
			await channel.close();
		}
	});

	test('bytes that are no frames end their connection', { tags: 'generated' }, async () => {
		const frame = fc.oneof(
			fc.uint8Array({ maxLength: 40 }),
			fc
				.record({
					type: fc.constantFrom('open', 'data', 'control', 'ack', 'attached', 'resume', 'end'),
					offset: fc.nat({ max: 1e6 }),
					payload: fc.uint8Array({ maxLength: 40 }),
				})
				.map((each) => encodeFrame(each as Frame)),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(frame, { maxLength: 12 }), async (pieces) => {
				const held = await client.leases.create({ boardType: 'echo', waitMs: 10_000 });
				const { id, ticket } = await ticketFor(held.id);
				const hostile = await connectByHand(bench, id, ticketFrame(ticket));
				for (const piece of pieces) hostile.socket.send(piece);
				hostile.socket.terminate();
				// All is as before for whoever keeps to the rules.
				await (await held.channel('serial', { port: 'sink' })).close();
				await held.release();
			}),
			{ numRuns: runs(12) },
		);
	});

	test('a connection without a ticket is closed, and other upgrades are ignored', async () => {
		const silent = await connectByHand(bench, `chn_${'0'.repeat(24)}`, messageFrame('end', {}));
		await silent.closed;
		const port = new URL(bench.baseUrl).port;
		const ask = (path: string, upgrade: string) =>
			new Promise<number | undefined>((resolve, reject) => {
				const headers = { connection: 'upgrade', upgrade, 'sec-websocket-version': '13' };
				const asked = request({ port, path, headers, host: '127.0.0.1' });
				asked.on('response', (response) => resolve(response.resume().statusCode));
				asked.on('error', reject);
				asked.end();
			});
		expect(await ask('/healthz', 'h2c')).toBe(200);
		expect(await ask('/healthz', 'websocket')).toBe(400);
		expect(await ask(`/v1/channels/chn_${'0'.repeat(24)}`, 'websocket')).toBe(400);
	});

	test('an agent that leaves ends the channel with the lease', async () => {
		const held = await client.leases.create({ boardType: 'echo' });
		const channel = await held.channel('serial', { port: 'echo' });
		await echo.agent.stop();
		const next = await startEchoAgent(bench);
		echo = next;
		expect((await channel.closed)?.code).toMatch(/agent_lost|lease_ended/);
		expect(await held.ended).toMatchObject({ endReason: 'agent_lost' });
	});
});

describe('in one process', () => {
	async function open(options: { accounts?: boolean } = {}) {
		const bench = await openBench(onSqlite, { boardType: 'echo', ...options });
		cleanups.push(() => bench.close());
		const echo = await startEchoAgent(bench, { fetch: bench.fetch });
		cleanups.push(() => echo.agent.stop());
		const client = bench.client();
		const lease = await client.leases.create({ boardType: 'echo' });
		return { bench, echo, client, lease };
	}

	test('a port that does not open says why', async () => {
		const { lease } = await open();
		await expect(lease.channel('serial', { port: 'broken' })).rejects.toMatchObject({
			name: 'ChannelError',
			code: 'port_failed',
			message: 'The port is unplugged',
		});
	});

	test('what is sent without waiting keeps its order, and each change of settings is answered', async () => {
		const { lease } = await open();
		const channel = await lease.channel('serial', { port: 'echo' });
		const parts = [1, 2, 3].map((value) => new Uint8Array(120_000).fill(value));
		const writer = channel.writable.getWriter();
		const writing = parts.map((part) => writer.write(part));
		const settings = [channel.set({ baud: 0 }), channel.set({ baud: 9600 })];
		const reader = channel.readable.getReader();
		const arrived: Uint8Array[] = [];
		for (let size = 0; size < 360_000; ) {
			const { value = new Uint8Array(1e6) } = await reader.read();
			arrived.push(value);
			size += value.length;
		}
		expect(Buffer.concat(arrived).equals(Buffer.concat(parts))).toBe(true);
		expect(await Promise.all([...writing, ...settings])).toHaveLength(5);
	});

	test('a port that is lost ends the channel', async () => {
		const { lease, echo } = await open();
		const channel = await lease.channel('serial', { port: 'echo' });
		echo.ports.open.get('echo')?.closed('The cable is out');
		expect(await channel.closed).toMatchObject({
			code: 'port_failed',
			message: 'The cable is out',
		});
	});

	test('the lease says whose debugger halts the board, and until when', async () => {
		const { lease, echo, bench } = await open();
		const channel = await lease.channel('debug');
		echo.ports.open.get('debug')?.halted?.(true);
		await expect.poll(() => lease.refresh()).toMatchObject({ haltedBy: bench.login.email });
		await channel.close();
		await expect.poll(() => lease.refresh()).toMatchObject({ haltedBy: null });
	});

	test('who may only look opens no channel, and a share that ends takes its channel along', async () => {
		const { lease, bench } = await open();
		const colleague = bench.client(bench.freeApiKey);
		const { query } = bench.services.database;
		await query.updateTable('accounts').set({ verified_at: '2026-01-01' }).execute();
		await lease.share('free@example.com', { access: 'look' });
		const theirs = await colleague.leases.get(lease.id);
		await expect(theirs.channel('serial', { port: 'echo' })).rejects.toMatchObject({
			code: 'access_insufficient',
		});
		await lease.share('free@example.com', { access: 'type' });
		const channel = await theirs.channel('serial', { port: 'echo' });
		const own = await lease.channel('serial', { port: 'sink' });
		await lease.unshare('free@example.com');
		expect(await channel.closed).toMatchObject({ code: 'access_ended' });
		await own.close();
	});

	test('a revoked key takes its channels along', async () => {
		const { client, lease, bench } = await open();
		const { id, key } = await client.keys.create({ label: 'tools' });
		const channel = await (await bench.client(key).leases.get(lease.id)).channel('serial', {
			port: 'echo',
		});
		await client.keys.revoke(id);
		expect(await channel.closed).toMatchObject({ code: 'credential_ended' });
	});

	test('the first byte begins the minutes of the lease', async () => {
		const { lease, bench } = await open();
		const { query } = bench.services.database;
		const ofLease = query.selectFrom('leases').select('charged_from').where('id', '=', lease.id);
		const before = await ofLease.executeTakeFirstOrThrow();
		const channel = await lease.channel('serial', { port: 'sink' });
		expect(await ofLease.executeTakeFirstOrThrow()).toEqual(before);
		const later = new Date(Date.now() + 60_000).toISOString();
		await query.updateTable('leases').set({ charged_from: later }).execute();
		await channel.writable.getWriter().write(Buffer.from('x'));
		await expect
			.poll(async () => (await ofLease.executeTakeFirstOrThrow()).charged_from)
			.not.toBe(later);
	});

	test('a lease has a limited number of channels', async () => {
		const { lease, bench } = await open();
		const ask = () => bench.user.json(`/leases/${lease.id}/channels`, 'POST', channelOf);
		const statuses: number[] = [];
		for (let count = 0; count < 17; count++) statuses.push((await ask()).status);
		expect(statuses).toEqual([...Array.from({ length: 16 }, () => 201), 429]);
	});
});
