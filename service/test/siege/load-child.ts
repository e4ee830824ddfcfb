// Requests paths in turn over kept-alive connections, as fast as the responses come, in a process of
// its own so that whoever measures others is not slowed down: node load-child.ts <json>
import { connect, type Socket } from 'node:net';
import type { Load } from './load.ts';

// Its only parent writes it.
const { url, paths, connections, headers } = JSON.parse(process.argv[2] ?? '') as Load;
const { hostname, port } = new URL(url);
let sent = 0;

function send(socket: Socket) {
	const path = (paths[sent % paths.length] ?? '/').replace('{n}', String(sent));
	sent += 1;
	// A page uses the cookie, and the API the key.
	const chosen = headers.filter((header) => header.startsWith('Auth') === path.startsWith('/v1/'));
	socket.write([`GET ${path} HTTP/1.1`, 'Host: localhost', ...chosen, '', ''].join('\r\n'));
}

function run() {
	return new Promise<void>((resolve) => {
		const socket = connect({ host: hostname, port: Number(port) });
		let received = '';
		socket.on('error', () => {});
		socket.on('connect', () => send(socket));
		socket.on('data', (chunk) => {
			received += chunk.toString('latin1');
			if (!isComplete(received)) return;
			received = '';
			send(socket);
		});
		socket.on('close', () => resolve());
	});
}

function isComplete(text: string) {
	const end = text.indexOf('\r\n\r\n');
	if (end < 0) return false;
	const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
	return length === undefined
		? text.endsWith('0\r\n\r\n')
		: text.length >= end + 4 + Number(length);
}

async function keepRunning() {
	for (;;) await run();
}

for (let count = 0; count < connections; count += 1) keepRunning();
process.once('message', () => process.send?.(sent, () => process.exit()));
process.once('disconnect', () => process.exit());
