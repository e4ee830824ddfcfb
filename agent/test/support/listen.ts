// The fake service for agents in other processes.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeService } from './fake-service.ts';
import { atEnd } from './running.ts';

/** The fake service behind a socket. */
export async function listen(service: FakeService): Promise<string> {
	const server = createServer(async (request, response) => {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece);
		const body = pieces.length > 0 ? { body: Buffer.concat(pieces) } : {};
		const headers = { authorization: request.headers.authorization ?? '' };
		const upstream = await service.fetch(`http://service.test${request.url}`, {
			method: request.method ?? 'GET',
			headers,
			...body,
		});
		response.writeHead(upstream.status, Object.fromEntries(upstream.headers));
		for await (const piece of upstream.body ?? []) response.write(piece);
		response.end();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	atEnd(async () => {
		service.stop();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	// An AddressInfo, because the server listens on a port and not on a path.
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
