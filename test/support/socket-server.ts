// A server that misbehaves on demand, for what a mock cannot reproduce.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export async function startSocketServer(onRequest: (socket: Socket, count: number) => void) {
	let count = 0;
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
		socket.on('data', () => onRequest(socket, ++count));
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo; // it listens on a port
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		requests: () => count,
		openSockets: () => sockets.size,
		close: () => {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}

export function answer(body: string, headers: readonly string[] = []) {
	return [
		'HTTP/1.1 200 OK',
		'content-type: application/json',
		`content-length: ${Buffer.byteLength(body)}`,
		...headers,
		'',
		body,
	].join('\r\n');
}
