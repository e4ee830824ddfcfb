// A port of this machine that was unused a moment ago.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export async function freePort() {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo; // it listens on a port
	await once(server.close(), 'close');
	return port;
}
