// @module-tag long
// What a caller without an account can do to the process.
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
// biome-ignore lint/style/noRestrictedImports: the service does not say when it has stopped reading a connection.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCommand } from './support/command.ts';

let service: Awaited<ReturnType<typeof startCommand>>;
beforeAll(async () => {
	service = await startCommand(['start', '--demo', '--port', '0'], { LOG_LEVEL: 'info' });
});
afterAll(async () => {
	service.child.kill();
	await service.exited;
});

const memory = async () => {
	const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
};

const open = () => {
	const { hostname, port } = new URL(service.url);
	const socket: Socket = connect({ host: hostname, port: Number(port) });
	socket.on('error', () => {});
	socket.pause();
	return socket;
};

test.skipIf(process.platform !== 'linux')(
	'requests whose responses nobody reads cost little memory, and others are served',
	async () => {
		const before = await memory();
		const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
		const sockets = Array.from({ length: 2 }, open);
		for (const socket of sockets) socket.write(request.repeat((2 * 1024 * 1024) / request.length));
		await wait(4_000);
		expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
		const grown = (await memory()) - before;
		expect(grown).toBeLessThan(300);
		for (const socket of sockets) socket.destroy();
	},
);

test.skipIf(process.platform !== 'linux')(
	'responses with one large asset that nobody reads share its bytes',
	async () => {
		const page = await (await fetch(`${service.url}/docs`)).text();
		const folder = /\/assets\/\w+/.exec(page)?.[0];
		const request = `GET ${folder}/terminal.js HTTP/1.1\r\nHost: localhost\r\n\r\n`;
		const before = await memory();
		const sockets = Array.from({ length: 60 }, open);
		for (const socket of sockets) socket.write(request.repeat(30));
		await wait(3_000);
		const grown = (await memory()) - before;
		for (const socket of sockets) socket.destroy();
		// 1,800 copies would be over 600 MB.
		expect(grown).toBeLessThan(200);
	},
);

test('a client that pipelines a few requests gets every response, in order', async () => {
	const socket = open();
	let received = '';
	socket.resume();
	socket.on('data', (chunk) => (received += chunk));
	const paths = ['/healthz', '/v1/boards', '/readyz', '/nothing-here'];
	socket.write(
		paths
			.map((path, index) => {
				const last = index === paths.length - 1 ? 'Connection: close\r\n' : '';
				return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
			})
			.join(''),
	);
	await new Promise((resolve) => socket.once('close', resolve));
	expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([
		'HTTP/1.1 200',
		'HTTP/1.1 401',
		'HTTP/1.1 200',
		'HTTP/1.1 404',
	]);
});
