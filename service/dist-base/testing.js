import { listen } from './chunk-4YRXLGYO.js';
import { createService, errorResponse, tooMany } from './chunk-6JEC3QWQ.js';
import './chunk-VPZLPGDZ.js';

// src/testing.ts
import { createServer } from 'node:http';
// src/testing/faults.ts
import { setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';

var kinds = Object.keys({
	'rate-limited': true,
	'bad-gateway': true,
	'stalled-body': true,
	reset: true,
	'slow-headers': true,
});
function checkFault({ kind }) {
	if (kinds.includes(kind)) return;
	throw new TypeError(`There is no fault of the kind ${kind}: it is one of ${kinds.join(', ')}`);
}
async function meet(fault, { request, pass, socket }) {
	switch (fault.kind) {
		case 'rate-limited':
			return errorResponse(tooMany(keyLimit, fault.retryAfter ?? 1), request, 'injected');
		case 'bad-gateway':
			return new Response(gatewayPage, { status: 502, headers: { 'content-type': 'text/html' } });
		case 'stalled-body':
			return stalled(request.signal, socket);
		case 'reset':
			return reset(socket);
		case 'slow-headers':
			await wait(fault.milliseconds ?? 1e3, void 0, { signal: request.signal });
			return pass();
	}
}
var keyLimit = { keyPrefix: 'key', points: 600 };
var gatewayPage = `<html><head><title>502 Bad Gateway</title></head><body>
<center><h1>502 Bad Gateway</h1></center><hr><center>proxy</center></body></html>`;
function stalled(signal, socket) {
	const body = new ReadableStream({
		start(controller) {
			controller.enqueue(new TextEncoder().encode('{"data":['));
			const end = () => (socket ? controller.close() : controller.error(signal.reason));
			signal.addEventListener('abort', end, { once: true });
		},
	});
	return new Response(body, { headers: { 'content-type': 'application/json' } });
}
function reset(socket) {
	if (socket) {
		socket.destroy();
		return new Promise(() => {});
	}
	throw new TypeError('fetch failed', {
		cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
	});
}

// src/testing.ts
async function createTestService(options = {}) {
	const service = await createService({ ...options, demo: true });
	const { demo } = service;
	if (!demo) throw new Error('The demo was not made');
	const faults = [];
	const servers = [];
	const answer = (request, env) => {
		const fault = faults.shift();
		const pass = () => service.fetch(request);
		return fault ? meet(fault, { request, pass, socket: env?.incoming?.socket }) : pass();
	};
	return {
		demo,
		fetch: async (input, init) => answer(new Request(input, init)),
		failNext(...more) {
			more.forEach(checkFault);
			faults.push(...more);
		},
		async listen() {
			const server = createServer(
				getRequestListener((request, env) => answer(request, asNode(env))),
			);
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
function asNode(env) {
	return env;
}

export { createTestService };
