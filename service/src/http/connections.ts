// Bounds what one connection, and all of them, can hold in memory.
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** More requests than any client sends without reading a response. */
const mostOutstanding = 32;

/** Longer than any request waits for a change; streams send something more often. */
const silentMilliseconds = 120_000;

const mostConnections = 4_000;

/** Closes connections that read nothing, and accepts no more than the process has room for. */
export function limitConnections(server: Server) {
	server.maxConnections = mostConnections;
	server.setTimeout(silentMilliseconds);
}

/** Passes requests on, and closes a connection that sends many without reading the responses. */
export function withBoundedPipelines(listener: RequestListener): RequestListener {
	const outstanding = new WeakMap<Socket, number>();
	const add = ({ socket }: IncomingMessage, change: number) => {
		const count = (outstanding.get(socket) ?? 0) + change;
		outstanding.set(socket, count);
		return count;
	};
	return (incoming, outgoing) => {
		// Requests that were parsed after the one that closed the connection are dropped.
		if (incoming.socket.destroyed) return;
		if (add(incoming, 1) > mostOutstanding) {
			incoming.socket.destroy();
			return;
		}
		outgoing.once('close', () => add(incoming, -1));
		listener(incoming, outgoing);
	};
}
