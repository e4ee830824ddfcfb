// For tests of code that uses the service: the service in memory, and errors on demand.
import { createServer, type Server } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { listen } from './server.ts';
import { createService, type Service, type ServiceOptions } from './service.ts';
import { checkFault, type Fault, inject } from './testing/faults.ts';

export type { Fault } from './testing/faults.ts';

/** A service in memory that fails on demand. */
export interface TestService extends Service {
	readonly demo: NonNullable<Service['demo']>;
	/** Makes the next requests fail, one for each error, in this order. */
	failNext(...faults: Fault[]): void;
	/** Serves on a free port of this machine as well, and returns the address. */
	listen(): Promise<string>;
}

/**
 * Starts the service in memory, filled with samples.
 *
 * @example
 * ```ts
 * const service = await createTestService();
 * service.failNext({ kind: 'rate-limited', retryAfter: 1 });
 * await service.fetch('http://localhost/v1/boards'); // 429
 * await service.close();
 * ```
 */
export async function createTestService(options: ServiceOptions = {}): Promise<TestService> {
	const service = await createService({ ...options, demo: true });
	const { demo } = service;
	if (!demo) throw new Error('The demo data was not created');
	const faults: Fault[] = [];
	const servers: Server[] = [];
	const handle = (request: Request, env?: HttpBindings) => {
		const fault = faults.shift();
		const pass = () => service.fetch(request);
		return fault ? inject(fault, { request, pass, socket: env?.incoming?.socket }) : pass();
	};
	return {
		demo,
		fetch: async (input, init) => handle(new Request(input, init)),
		failNext(...more) {
			more.forEach(checkFault);
			faults.push(...more);
		},
		async listen() {
			// It is one of node:http, so the bindings are not those of HTTP/2.
			const listener = getRequestListener((request, env) => handle(request, env as HttpBindings));
			const server = createServer(listener);
			servers.push(server);
			return listen(server, { port: 0, host: '127.0.0.1' });
		},
		async close() {
			for (const server of servers) {
				server.closeAllConnections();
				server.close();
			}
			await service.close();
		},
	};
}
