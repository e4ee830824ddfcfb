// What can go wrong between a client and the service.
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { tooMany } from 'board-access-core';
import { errorResponse } from 'board-access-http/respond';

/** How a request fails. */
export type Fault =
	/** 429 with `Retry-After` in seconds, 1 by default. */
	| { kind: 'rate-limited'; retryAfter?: number }
	/** 502 with a page of HTML, as a proxy sends. */
	| { kind: 'bad-gateway' }
	/** The headers and the first bytes of the response, and then nothing more. */
	| { kind: 'stalled-body' }
	/** The connection breaks before a response. */
	| { kind: 'reset' }
	/** The correct response, but late: after a second by default. */
	| { kind: 'slow-headers'; milliseconds?: number };

const kinds = Object.keys({
	'rate-limited': true,
	'bad-gateway': true,
	'stalled-body': true,
	reset: true,
	'slow-headers': true,
} satisfies Record<Fault['kind'], true>);

/** Throws for an unknown kind, which only TypeScript would catch otherwise. */
export function checkFault({ kind }: Fault) {
	if (kinds.includes(kind)) return;
	throw new TypeError(`Unknown kind of error: ${kind}. The kinds are ${kinds.join(', ')}`);
}

interface Injection {
	request: Request;
	/** Forwards the request to the service. */
	pass(): Promise<Response>;
	/** Absent when the service is called as a function. */
	socket?: Socket | undefined;
}

export async function inject(
	fault: Fault,
	{ request, pass, socket }: Injection,
): Promise<Response> {
	switch (fault.kind) {
		case 'rate-limited':
			return errorResponse(tooMany(keyLimit, fault.retryAfter ?? 1), 'injected');
		case 'bad-gateway':
			return new Response(gatewayPage, { status: 502, headers: { 'content-type': 'text/html' } });
		case 'stalled-body':
			return stalled(request.signal, socket);
		case 'reset':
			return reset(socket);
		case 'slow-headers':
			await wait(fault.milliseconds ?? 1000, undefined, { signal: request.signal });
			return pass();
	}
}

const keyLimit = { prefix: 'key', points: 600, seconds: 60 };

const gatewayPage = `<html><head><title>502 Bad Gateway</title></head><body>
<center><h1>502 Bad Gateway</h1></center><hr><center>proxy</center></body></html>`;

function stalled(signal: AbortSignal, socket: Socket | undefined) {
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			controller.enqueue(new TextEncoder().encode('{"data":['));
			// Over a socket, the caller has disconnected by then; called as a function, it is still reading.
			const end = () => (socket ? controller.close() : controller.error(signal.reason));
			signal.addEventListener('abort', end, { once: true });
		},
	});
	return new Response(body, { headers: { 'content-type': 'application/json' } });
}

function reset(socket: Socket | undefined) {
	if (socket) {
		socket.destroy();
		// The connection is closed, so no response can be sent.
		return new Promise<Response>(() => {});
	}
	// What fetch throws when a connection breaks.
	throw new TypeError('fetch failed', {
		cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
	});
}
