// Limits of idle and pipelined connections.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import {
	connectionLimit,
	limitConnections,
	withBoundedPipelines,
} from '../../../src/http/server/connections.ts';
import { listen, type RunningService, startServer } from '../../../src/server.ts';

const sockets: Socket[] = [];
afterEach(closeAll);

function closeAll() {
	for (const socket of sockets.splice(0)) socket.destroy();
}

/** Opens connections, from an address of this machine, and waits until they are there. */
async function open(url: string, count: number, localAddress = '127.0.0.1') {
	const { port } = new URL(url);
	const opened = Array.from({ length: count }, () => {
		const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
		socket.on('error', () => {});
		sockets.push(socket);
		return socket;
	});
	await Promise.all(
		opened.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
	);
	return opened;
}

/** The address that a service prints when it listens. */
async function addressOf(output: Readable) {
	let text = '';
	for await (const chunk of output.iterator({ destroyOnReturn: false })) {
		text += chunk;
		if (/SERVICE_BASE_URL=.*\n/.test(text)) break;
	}
	output.resume();
	return /SERVICE_BASE_URL=(\S+)/.exec(text)?.[1] ?? '';
}

const living = (opened: Socket[]) => opened.filter((socket) => !socket.closed).length;

async function request(socket: Socket, headers = '') {
	socket.write(`GET /v1/boards HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
	const [data] = await once(socket, 'data');
	return String(data).split('\r\n')[0];
}

describe('a service with room for 80 connections', () => {
	const withService = async (work: (service: RunningService) => Promise<void>, options = {}) => {
		const service = await startServer({
			port: 0,
			host: '127.0.0.1',
			demo: true,
			maxConnections: 80,
			...options,
		});
		try {
			await work(service);
		} finally {
			closeAll();
			await service.stop();
		}
	};

	test('closes the idle connections of an address that holds more than an eighth', () =>
		withService(async ({ address }) => {
			const [other] = await open(address, 1, '127.0.0.2');
			const opened = await open(address, 40);
			await expect.poll(() => living(opened)).toBe(10);
			expect(living(opened.slice(-10))).toBe(10);
			expect(other?.closed).toBe(false);
			expect((await fetch(`${address}/healthz`)).status).toBe(200);
		}));

	test('keeps a connection that has carried a valid key', () =>
		withService(async ({ address, demo }) => {
			const [member, stranger] = await open(address, 2);
			if (!member || !stranger) throw new Error('There is no connection');
			expect(await request(member, `Authorization: Bearer ${demo?.apiKey}\r\n`)).toMatch(/ 200 /);
			expect(await request(stranger)).toMatch(/ 401 /);
			await open(address, 30);
			await expect.poll(() => stranger.closed).toBe(true);
			expect(member.closed).toBe(false);
		}));

	test('closes an idle connection for a new one when many addresses hold all of them', () =>
		withService(async ({ address }) => {
			const opened: Socket[] = [];
			for (let last = 2; last < 14; last += 1) {
				opened.push(...(await open(address, 10, `127.0.0.${last}`)));
			}
			await expect.poll(() => living(opened)).toBe(80);
			expect((await fetch(`${address}/healthz`)).status).toBe(200);
		}));

	test('closes a connection with a half request for a new one, even if its body is missing', () =>
		withService(async ({ address, server }) => {
			let begun = 0;
			server.on('request', () => (begun += 1));
			const half = [
				'POST /login HTTP/1.1',
				'Host: localhost',
				'Sec-Fetch-Site: same-origin',
				'Content-Type: application/x-www-form-urlencoded',
				'Content-Length: 1000',
				'',
				'email=',
			].join('\r\n');
			for (let last = 2; last < 10; last += 1) {
				const opened = await open(address, 10, `127.0.0.${last}`);
				for (const socket of opened) socket.write(half);
			}
			await expect.poll(() => begun).toBe(80);
			expect((await fetch(`${address}/healthz`)).status).toBe(200);
		}));

	test('keeps a connection with a valid key when many addresses hold all others', () =>
		withService(async ({ address, demo }) => {
			const [member] = await open(address, 1);
			if (!member) throw new Error('There is no connection');
			expect(await request(member, `Authorization: Bearer ${demo?.apiKey}\r\n`)).toMatch(/ 200 /);
			for (let last = 2; last < 14; last += 1) await open(address, 10, `127.0.0.${last}`);
			await expect.poll(() => living(sockets)).toBe(80);
			expect(member.closed).toBe(false);
		}));

	test('leaves an eighth to others when an account holds all of them', () =>
		withService(async ({ address, demo }) => {
			const headers = `Authorization: Bearer ${demo?.apiKey}\r\n`;
			for (const member of await open(address, 10)) await request(member, headers);
			for (let group = 0; group < 9; group += 1) {
				for (const member of await open(address, 8)) await request(member, headers);
			}
			const opened = await open(address, 10);
			await expect.poll(() => living(sockets)).toBe(80);
			expect(living(opened)).toBe(10);
		}));

	test('lets a proxy hold all connections', () =>
		withService(
			async ({ address }) => {
				expect(living(await open(address, 60))).toBe(60);
			},
			{ trustProxy: true },
		));
});

test('requests that arrive together on a connection run one after the other', async () => {
	let running = 0;
	let most = 0;
	const server = createServer(
		withBoundedPipelines(async (_incoming, outgoing) => {
			running += 1;
			most = Math.max(most, running);
			await nextTurn();
			running -= 1;
			outgoing.end('done');
		}),
	);
	const address = await listen(server, { port: 0, host: '127.0.0.1' });
	limitConnections(server, { maxConnections: 80, trustProxy: false });
	const [socket] = await open(address, 1);
	let received = '';
	socket?.on('data', (chunk) => (received += chunk));
	socket?.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20));
	await expect.poll(() => received.split('HTTP/1.1 200')).toHaveLength(21);
	expect(most).toBe(1);
	closeAll();
	server.close();
});

describe('a server with many requests of one caller', () => {
	/** Sends a request of each caller at once, and returns what begins, including connections. */
	const sendAll = async (callers: string[], work: (address: string) => Promise<unknown>) => {
		const begun: string[] = [];
		const server = createServer(
			withBoundedPipelines(({ headers }, outgoing) => {
				begun.push(headers.authorization ?? '');
				outgoing.end();
			}),
		);
		limitConnections(server, { maxConnections: 80, trustProxy: true });
		server.on('connection', () => begun.push('connection'));
		const address = await listen(server, { port: 0, host: '127.0.0.1' });
		const opened = await open(address, callers.length);
		await expect.poll(() => begun).toHaveLength(callers.length);
		begun.splice(0);
		for (const [index, caller] of callers.entries()) {
			const head = `GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${caller}\r\n\r\n`;
			opened[index]?.write(head);
		}
		await work(address);
		await expect.poll(() => begun).toHaveLength(sockets.length);
		closeAll();
		server.close();
		return begun;
	};

	test('begins the request of another before most of them', async () => {
		const begun = await sendAll([...Array(40).fill('one'), 'other'], async () => {});
		expect(begun.indexOf('other')).toBeLessThan(20);
	});

	test('accepts the connections of others before most of them', async () => {
		const begun = await sendAll(Array(20).fill('one'), (address) => open(address, 20));
		expect(begun.lastIndexOf('connection')).toBeLessThan(30);
	});
});

test('requests that wait for others on a connection are dropped when it closes', async () => {
	let begun = 0;
	const server = createServer(
		withBoundedPipelines(async ({ socket }) => {
			begun += 1;
			await nextTurn();
			socket.destroy();
		}),
	);
	const address = await listen(server, { port: 0, host: '127.0.0.1' });
	limitConnections(server, { maxConnections: 80, trustProxy: false });
	for (const count of [1, 2]) {
		const [socket] = await open(address, 1);
		socket?.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(5));
		await expect.poll(() => socket?.closed).toBe(true);
		expect(begun).toBe(count);
	}
	server.close();
});

test.skipIf(process.platform === 'win32')(
	'with 1,000 idle connections and 256 open files allowed, the service responds',
	{ tags: 'long' },
	async () => {
		const words = [inject('main'), 'start', '--demo', '--port', '0'];
		const command = 'ulimit -n 256; exec "$0" "$@"';
		const child = spawn('sh', ['-c', command, process.execPath, ...words], {
			env: { PATH: process.env.PATH ?? '' },
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		try {
			const url = await addressOf(child.stdout);
			for (let last = 1; last <= 10; last += 1) await open(url, 100, `127.0.0.${last}`);
			const statuses = [];
			for (let count = 0; count < 20; count += 1) {
				const headers = { connection: 'close' };
				statuses.push((await fetch(`${url}/healthz`, { headers })).status);
			}
			expect(statuses).toEqual(Array(20).fill(200));
		} finally {
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
	},
);

test.runIf(process.platform === 'linux')(
	'the connections of others get through while a service is busy with a flood of them',
	{ tags: 'long' },
	async () => {
		const child = spawn(process.execPath, [inject('main'), 'start', '--demo', '--port', '0'], {
			env: { PATH: process.env.PATH ?? '' },
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		try {
			const url = await addressOf(child.stdout);
			child.kill('SIGSTOP');
			const opened = await open(url, 1_500);
			expect(living(opened)).toBe(1_500);
		} finally {
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
	},
);

test.each([
	[4_000, 20_000, 4_000],
	[4_000, 1_024, 832],
	[4_000, 256, 160],
	[4_000, Number.POSITIVE_INFINITY, 4_000],
	[100, 10, 16],
])('of %i wanted connections, a limit of %d open files leaves %i', (wanted, files, most) => {
	expect(connectionLimit(wanted, files)).toBe(most);
});

test('a connection that has not sent anything does not delay the shutdown of the service', async () => {
	const service = await startServer({ port: 0, host: '127.0.0.1' });
	const atLast = vi.spyOn(service.server, 'closeAllConnections');
	const opened = await open(service.address, 1);
	await service.stop();
	expect(atLast).not.toHaveBeenCalled();
	await expect.poll(() => living(opened)).toBe(0);
});
