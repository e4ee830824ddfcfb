// Streams whose readers do not read: how much of them the service holds.

import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { afterEach, expect, test, vi } from 'vitest';
import { consoleChange } from '../../../core/src/announcements.ts';
import { appendOutput } from '../../../core/src/leases/console/output.ts';
import { chunksUntil } from '../../../core/src/leases/console/reader.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { listen } from '../../src/server.ts';
import { type Lab, openLab } from '../support/leasing.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const kibibyte = 1024;

/** A lease of a board that has printed as much as is kept. */
async function openLoud(
	lab: Pick<Lab, 'query' | 'services'>,
	user: Awaited<ReturnType<Lab['account']>>,
) {
	const { body: lease } = await user.lease({ board_id: 'brd_uno_1' });
	const agent = await addAgent(lab.query, ['brd_uno_1']);
	const { fence } = await lab.query
		.selectFrom('boards')
		.select('fence')
		.where('id', '=', 'brd_uno_1')
		.executeTakeFirstOrThrow();
	let offset = 0;
	/** Prints this many reports of the largest size. */
	const print = async (reports: number) => {
		const data = Buffer.alloc(64 * kibibyte, '<');
		for (let report = 0; report < reports; report += 1) {
			const target = { agentId: agent.id, leaseId: lease.id as string, fence };
			const { next } = await appendOutput(lab.query, { ...target, offset, data });
			offset = next;
		}
	};
	await print(16);
	return { id: lease.id as string, print };
}

/** Reads the console until it has brought about all that is kept. */
async function readStream(lab: Lab, { id, key }: { id: string; key: string }) {
	const headers = { authorization: `Bearer ${key}` };
	const request = new Request(`http://localhost/v1/leases/${id}/console`, { headers });
	const response = await lab.app.fetch(request, {});
	let total = 0;
	for await (const piece of response.body ?? []) {
		expect(piece.length).toBeLessThanOrEqual(65 * kibibyte);
		total += piece.length;
		if (total >= 960 * kibibyte) break;
	}
	expect(total).toBeGreaterThanOrEqual(960 * kibibyte);
}

test.each(databaseKinds)('a piece of a full console on %s has at most 64 KiB', async (kind) => {
	const lab = await openLab(kind, { boards: unoBoards(1) });
	cleanups.push(lab.close);
	const user = await lab.account();
	const { id } = await openLoud(lab, user);
	await readStream(lab, { id, key: user.key });
});

test.each(databaseKinds)(
	'however many streams an account opens on %s, one of them reads at a time',
	{ tags: 'long' },
	async (kind) => {
		const lab = await openLab(kind, { boards: unoBoards(1) });
		cleanups.push(lab.close);
		const user = await lab.account();
		const { id } = await openLoud(lab, user);
		const reads = countReads(lab);
		await Promise.all(Array.from({ length: 20 }, () => readStream(lab, { id, key: user.key })));
		expect(reads.bytes).toBeGreaterThan(20 * 700 * kibibyte);
		expect(reads.maxAtOnce).toBe(1);
	},
);

test.each(databaseKinds)(
	'each byte of a console is read from %s once, and what was dropped is skipped',
	async (kind) => {
		const lab = await openLab(kind, { boards: unoBoards(1) });
		cleanups.push(lab.close);
		const { id } = await openLoud(lab, await lab.account());
		const lost = { first: 320 * kibibyte, next: 512 * kibibyte };
		await lab.query
			.deleteFrom('console_chunks')
			.where('offset', '>=', lost.first)
			.where('offset', '<', lost.next)
			.execute();
		const reads = countReads(lab);
		const range = { leaseId: id, from: 65 * kibibyte, end: 960 * kibibyte };
		let [offset, dropped] = [range.from, 0];
		for await (const chunk of chunksUntil(lab.services.database, range)) {
			if (chunk.kind === 'dropped') dropped += chunk.bytes;
			expect(chunk.offset).toBe(chunk.kind === 'dropped' ? lost.next : offset);
			offset = chunk.next;
		}
		expect(offset).toBeGreaterThanOrEqual(range.end);
		expect(dropped).toBe(lost.next - lost.first);
		// Only the chunk that says that the one before was dropped is read twice.
		expect(reads.bytes - (offset - range.from - dropped)).toBeLessThanOrEqual(48 * kibibyte);
	},
);

/** Counts the reads of consoles, at most at once, and the bytes that the database returns for them. */
function countReads({ query }: Lab) {
	const counts = { running: 0, maxAtOnce: 0, bytes: 0 };
	const executor = query.getExecutor();
	const execute = executor.executeQuery.bind(executor);
	vi.spyOn(executor, 'executeQuery').mockImplementation(async (compiled) => {
		if (!compiled.sql.includes('from "console_chunks"')) return execute(compiled);
		counts.running += 1;
		counts.maxAtOnce = Math.max(counts.maxAtOnce, counts.running);
		const result = await execute(compiled).finally(() => {
			counts.running -= 1;
		});
		for (const row of result.rows as { data?: Uint8Array }[]) counts.bytes += row.data?.length ?? 0;
		return result;
	});
	return counts;
}

test('a console over a socket that nobody reads holds about two pieces', async () => {
	const inMemory = { database: ':memory:', agentTimeout: 600 };
	const lab = await openLab('SQLite', { boards: unoBoards(1), ...inMemory });
	cleanups.push(lab.close);
	const user = await lab.account();
	const { id, print } = await openLoud(lab, user);
	const response = await unreadResponse(lab, `/v1/leases/${id}/console`, user.key);
	// With what waits in its socket: a second piece is below the limit from which Node asks to wait.
	const held = () => response.writableLength;
	let most = 0;
	let before = -1;
	// Until the connection is full: it takes some megabytes before the other side has to read.
	while (before !== (response.socket?.bytesWritten ?? 0)) {
		before = response.socket?.bytesWritten ?? 0;
		for (let round = 0; round < 10; round += 1) {
			await print(4);
			lab.services.wake.announce(consoleChange(id));
			for (let turn = 0; turn < 20; turn += 1) await nextTurn();
			most = Math.max(most, held());
		}
	}
	expect(most).toBeGreaterThan(0);
	expect(most).toBeLessThan(128 * kibibyte);
});

/** The response to somebody who sends a request and reads nothing. */
async function unreadResponse({ app }: Lab, path: string, key: string) {
	const listener = getRequestListener(app.fetch);
	const { promise, resolve } = Promise.withResolvers<ServerResponse>();
	const server = createServer((incoming, outgoing) => {
		resolve(outgoing);
		return listener(incoming, outgoing);
	});
	const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
	const socket = connect({ host: '127.0.0.1', port: Number(port) }).pause();
	cleanups.push(() => server.closeAllConnections());
	cleanups.push(() => server.close());
	cleanups.push(() => socket.destroy());
	const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`];
	socket.write(`${lines.join('\r\n')}\r\n\r\n`);
	return promise;
}
