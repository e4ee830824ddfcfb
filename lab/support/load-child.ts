// Sends requests over kept-alive connections, each as soon as the one before has its response. In a process
// of its own with the lowest priority, so that neither the service nor whoever measures waits for it.
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Load, Sent } from './load.ts';

setPriority(19);
const sent: Sent = { requests: 0, statuses: {} };

/** The place of the number has its length, so that a body keeps its own. */
function fill(text: string) {
	const n = sent.requests;
	const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
	return text.replace('{number}', String(n).padStart(8, '0')).replace('{address}', address);
}

function run({ url, requests, unread }: Load, index: number) {
	return new Promise<void>((resolve) => {
		const { hostname, port } = new URL(url);
		// From several addresses, as nobody has thousands of connections from one.
		const localAddress = `127.0.0.${1 + (index % 20)}`;
		const socket: Socket = connect({ host: hostname, port: Number(port), localAddress });
		let turn = index;
		let received = '';
		const send = () => {
			const request = requests[turn % requests.length];
			turn += 1;
			if (!request) return;
			sent.requests += 1;
			socket.write(fill(request.head));
			if (request.body) socket.write(request.body);
			if (request.form) socket.write(fill(request.form));
		};
		socket.on('error', () => {});
		socket.on('close', () => resolve());
		socket.on('connect', send);
		if (unread) {
			for (let count = 1; count < unread; count += 1) send();
			return;
		}
		socket.on('data', (chunk) => {
			received += chunk.toString('latin1');
			if (!isComplete(received)) return;
			const status = received.slice(9, 12);
			sent.statuses[status] = (sent.statuses[status] ?? 0) + 1;
			received = '';
			send();
		});
	});
}

function isComplete(text: string) {
	const end = text.indexOf('\r\n\r\n');
	if (end < 0) return false;
	const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
	if (length !== undefined) return text.length >= end + 4 + Number(length);
	return text.endsWith('0\r\n\r\n') || text.startsWith('HTTP/1.1 204');
}

async function keepRunning(load: Load, index: number) {
	for (;;) {
		await run(load, index);
		await wait(10);
	}
}

process.on('message', (message: 'stop' | Load[]) => {
	if (message === 'stop') process.send?.(sent, () => process.exit());
	else process.send?.('begun');
	for (const load of message === 'stop' ? [] : message) {
		for (let index = 0; index < load.connections; index += 1) keepRunning(load, index);
	}
});
process.once('disconnect', () => process.exit());
