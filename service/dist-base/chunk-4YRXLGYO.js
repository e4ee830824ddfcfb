// src/server.ts
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { assemble } from './chunk-6JEC3QWQ.js';

async function startServer(options) {
	const service = await assemble(options);
	const server = createServer(
		{
			headersTimeout: 1e4,
			requestTimeout: 3e4,
			keepAliveTimeout: 65e3,
			connectionsCheckingInterval: 2e3,
			maxHeaderSize: 16 * 1024,
		},
		getRequestListener(service.app.fetch),
	);
	const address = await listen(server, options);
	return {
		...service,
		address,
		server,
		async stop() {
			service.refuse();
			await drain(server);
			await service.close();
		},
	};
}
function listen(server, { port, host }) {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			const bound = server.address();
			const actual = typeof bound === 'object' && bound ? bound.port : port;
			resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`);
		});
	});
}
var patience = 8e3;
function drain(server) {
	return new Promise((resolve) => {
		const sweep = setInterval(() => server.closeIdleConnections(), 50);
		const giveUp = setTimeout(() => server.closeAllConnections(), patience);
		server.close(() => {
			clearInterval(sweep);
			clearTimeout(giveUp);
			resolve();
		});
	});
}

export { listen, startServer };
