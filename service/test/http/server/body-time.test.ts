import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withBodyTime } from '../../../src/http/server/body-time.ts';

// Time passes when the test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Sends a body in pieces, with a pause after each and a long one at the end, and returns the response. */
async function send(pieces: string[], pause: number, length = pieces.join('').length) {
	let read = -1;
	const server = createServer(
		withBodyTime(
			async (incoming, outgoing) => {
				read = 0;
				try {
					for await (const piece of incoming) read += piece.length;
					outgoing.end(`${read} bytes`);
				} catch {
					outgoing.end('incomplete');
				}
			},
			{ milliseconds: 300, slowestRate: 1000 },
		),
	);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	// An AddressInfo, because the server listens on a port.
	const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
	cleanups.push(() => {
		socket.destroy();
		server.close();
	});
	let response = '';
	socket.on('error', () => {}).on('data', (bytes) => (response += bytes));
	const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
	socket.write(
		`POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
	);
	const whenRead = (bytes: number) =>
		expect.poll(() => read === bytes || !socket.writable, { interval: 1 }).toBe(true);
	await whenRead(0);
	let sent = 0;
	for (const piece of pieces) {
		if (!socket.writable) break;
		socket.write(piece);
		sent += piece.length;
		await whenRead(sent);
		vi.advanceTimersByTime(pause);
	}
	vi.advanceTimersByTime(10_000);
	await closed;
	return response;
}

const status = (response: string) => /^HTTP\/1\.1 (\d+)/.exec(response)?.[1];

test('a body that arrives slowly and steadily has the time it needs', async () => {
	const response = await send(Array(20).fill('x'.repeat(200)), 40);
	expect(status(response)).toBe('200');
	expect(response).toContain('4000 bytes');
});

test('a trickle is ended with 408', async () => {
	const response = await send(Array(100).fill('x'), 40);
	expect(status(response)).toBe('408');
});

test('a body that never comes is ended with 408', async () => {
	expect(status(await send([], 0, 100))).toBe('408');
});

test('a body that stops in the middle is ended with 408', async () => {
	expect(status(await send(['x'.repeat(500)], 0, 1000))).toBe('408');
});
