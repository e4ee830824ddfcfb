// Servers that the service connects to, and that treat it badly. They end with the process.
import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

async function listen(server: Server) {
	server.unref().listen(0, '127.0.0.1');
	await once(server, 'listening');
	// A server on a port has an address of this shape.
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Accepts mail, but never responds. */
export async function silentMailServer() {
	const server = createServer((socket) => socket.on('error', () => {}).resume());
	return { SMTP_URL: `smtp://${await listen(server)}` };
}

const piece = Buffer.alloc(64 * 1024);

/** Files that come slowly, never end, or are always elsewhere, by the first letter of the path. */
export async function trickyImageServer() {
	const server = createHttpServer(({ url = '' }, response) => {
		response.writeHead(url.startsWith('/r') ? 302 : 200, { location: `${url}r` });
		if (url.startsWith('/r')) response.end();
		else if (url.startsWith('/s')) send(response, piece.subarray(0, 1), 500);
		else send(response, piece, 20);
	});
	return { IMAGE_HOSTS: await listen(server) };
}

function send(response: ServerResponse, bytes: Buffer, milliseconds: number) {
	const timer = setInterval(() => response.write(bytes), milliseconds).unref();
	response.once('close', () => clearInterval(timer));
}
