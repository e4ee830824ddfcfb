// The service on a socket: limits for slow clients, and an orderly end.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { claimFile, type Settings } from 'board-access-core';
import { limitConnections, withBoundedPipelines } from 'board-access-http/server/connections';
import { withValidHost } from 'board-access-http/server/host';
import { acceptSockets } from './channels/sockets.ts';
import { respondToBroken, respondToMalformed } from './server/malformed.ts';
import { assemble, type ServiceOptions } from './service.ts';

export interface RunningService extends Awaited<ReturnType<typeof assemble>> {
	/** The address that it listens on. */
	address: string;
	server: Server;
	/** Accepts no more requests, finishes the running ones, and closes everything. */
	stop(): Promise<void>;
}

export async function startServer(
	options: ServiceOptions & { port: number; host: string },
): Promise<RunningService> {
	const release = claimFile(options.database ?? ':memory:');
	const service = await assemble(options).catch((error) => {
		release();
		throw error;
	});
	const close = () => service.close().finally(release);
	const { settings, log, metrics } = service.services;
	metrics.addProcess();
	const application = getRequestListener(service.app.fetch, { errorHandler: respondToBroken(log) });
	const server = createServer(
		{
			headersTimeout: 10_000,
			// 16 MiB of firmware at 16 KiB a second.
			requestTimeout: 1_024_000,
			keepAliveTimeout: 65_000,
			connectionsCheckingInterval: 2_000,
			maxHeaderSize: 16 * 1024,
			optimizeEmptyRequests: true,
			// Other upgrades are offers that a server may ignore, such as that of HTTP/2 by curl.
			shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
			// Our own check of the host responds with a request identifier.
			requireHostHeader: false,
		},
		withBoundedPipelines(withStrictTransport(withValidHost(application, settings), settings)),
	);
	respondToMalformed(server);
	const closeSilent = limitConnections(server, settings);
	const endSockets = acceptSockets(server, service.services);
	const address = await listen(server, options).catch(async (error) => {
		// Otherwise it would go on granting boards, to users whom it cannot serve.
		await close();
		throw error;
	});
	return {
		...service,
		close,
		address,
		server,
		async stop() {
			service.rejectRequests();
			endSockets();
			await drain(server, closeSilent);
			await close();
		},
	};
}

const oneYear = 365 * 24 * 60 * 60;

/** With https addresses, makes browsers that have seen the service use https only from then on. */
function withStrictTransport(
	listener: RequestListener,
	{ baseUrl, webUrl }: Pick<Settings, 'baseUrl' | 'webUrl'>,
): RequestListener {
	if (![baseUrl, webUrl].every((url) => url.startsWith('https:'))) return listener;
	return (incoming, outgoing) => {
		outgoing.setHeader('strict-transport-security', `max-age=${oneYear}; includeSubDomains`);
		listener(incoming, outgoing);
	};
}

/** Binds the server and returns its address. */
export function listen(server: Server, { port, host }: { port: number; host: string }) {
	return new Promise<string>((resolve, reject) => {
		server.once('error', reject);
		// A client whose connection does not fit tries again only after a second.
		server.listen(port, host, 4096, () => {
			const bound = server.address();
			const actual = typeof bound === 'object' && bound ? bound.port : port;
			resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`);
		});
	});
}

// Of the ten seconds that stopping may take, two are left to close the rest.
const patience = 8_000;

async function drain(server: Server, closeSilent: () => void) {
	// A kept-alive connection becomes idle once its request has its response.
	const sweep = setInterval(() => {
		server.closeIdleConnections();
		closeSilent();
	}, 50);
	const giveUp = setTimeout(() => server.closeAllConnections(), patience);
	await once(server.close(), 'close');
	clearInterval(sweep);
	clearTimeout(giveUp);
}
