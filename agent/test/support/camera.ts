// A camera, or something else that responds in its place.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './running.ts';

export const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('a picture')]);
export const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('another')]);

/** Returns the address of the camera. */
export async function startCamera(respond: RequestListener) {
	const server = createServer(respond);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	atEnd(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	// An AddressInfo, because the server listens on a port and not on a path.
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/still.jpg`;
}
