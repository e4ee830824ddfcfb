// Bounds what one connection, one network and all of them can hold: memory, and the descriptors of
// the process.
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '../../env.ts';
import { networkOf } from '../address.ts';
import type { ServiceContext } from '../environment.ts';

/** More requests than any client sends without reading a response. */
const mostOutstanding = 32;

/** Longer than any request waits for a change; streams send data more often. */
const silentMilliseconds = 120_000;

/** How many connections the operating system can hand over at once, before any is closed again. */
const backlog = 512;

interface Connection {
	/** Requests without a complete response. */
	requests: number;
	/** Starts each request that waits for the responses to earlier ones. */
	next: (() => void)[];
	/** The connections of its network that have not carried a valid credential. */
	crowd: Set<Socket>;
	idleSince: number;
}

const connections = new WeakMap<Socket, Connection>();

/** Records that a connection has carried a valid credential. */
export function trustConnection({ env }: ServiceContext) {
	const socket = env?.incoming?.socket;
	if (socket) connections.get(socket)?.crowd.delete(socket);
}

/**
 * Limits what the connections of a server hold. To make room for a new one, it closes the one that
 * has been idle for the longest time: of the same network, if that holds more than its share without
 * a credential, otherwise of all. Returns a function that closes the connections that have not sent anything yet,
 * which Node counts as busy.
 */
export function limitConnections(
	server: Server,
	{ maxConnections, trustProxy }: Pick<Settings, 'maxConnections' | 'trustProxy'>,
) {
	const most = mostConnections(maxConnections);
	// Behind a proxy, all connections are the proxy's.
	const mostUntrusted = trustProxy ? most : Math.ceil(most / 8);
	const open = new Set<Socket>();
	const crowds = new Map<string, Set<Socket>>();
	server.maxConnections = most + backlog;
	server.setTimeout(silentMilliseconds);
	server.on('connection', (socket) => {
		const network = networkOf(socket.remoteAddress ?? '');
		const crowd = crowds.get(network) ?? new Set();
		crowds.set(network, crowd.add(socket));
		open.add(socket);
		connections.set(socket, { requests: 0, next: [], crowd, idleSince: performance.now() });
		const remove = (closed: Socket) => {
			open.delete(closed);
			connections.get(closed)?.crowd.delete(closed);
			if (crowd.size === 0 && crowds.get(network) === crowd) crowds.delete(network);
		};
		socket.once('close', () => remove(socket));
		const chosen = crowd.size > mostUntrusted ? crowd : open.size > most ? open : undefined;
		if (!chosen) return;
		const closed = longestIdle(chosen) ?? socket;
		remove(closed);
		closed.destroy();
	});
	return () => {
		for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
	};
}

/** In one pass: whoever opens thousands of connections must not make each one expensive. */
function longestIdle(sockets: Iterable<Socket>) {
	let longest: Socket | undefined;
	let since = Number.POSITIVE_INFINITY;
	for (const socket of sockets) {
		const connection = connections.get(socket);
		if (connection?.requests !== 0 || connection.idleSince >= since) continue;
		[longest, since] = [socket, connection.idleSince];
	}
	return longest;
}

/** As many as configured, if the limit of open files leaves room for them besides the other open files. */
export function mostConnections(wanted: number, openFiles = openFilesLimit()) {
	return Math.max(16, Math.min(wanted, Math.floor(openFiles * 0.875) - 64));
}

function openFilesLimit() {
	// Node types the report as an object without a shape, and Windows has no such limit.
	const report = process.report.getReport() as {
		userLimits?: { open_files: { soft: number | string } };
	};
	const soft = Number(report.userLimits?.open_files.soft);
	return soft > 0 ? soft : Number.POSITIVE_INFINITY;
}

/**
 * Handles the requests of a connection one after the other, and closes a connection that sends many without
 * reading the responses.
 */
export function withBoundedPipelines(listener: RequestListener): RequestListener {
	return (incoming, outgoing) => {
		const { socket } = incoming;
		// Requests that were parsed after the one that closed the connection are dropped.
		if (socket.destroyed) return;
		const connection = connections.get(socket);
		if (!connection) return listener(incoming, outgoing);
		connection.requests += 1;
		if (connection.requests > mostOutstanding) {
			socket.destroy();
			return;
		}
		outgoing.once('close', () => {
			connection.requests -= 1;
			connection.idleSince = performance.now();
			if (connection.next.length === 0) return;
			// After the requests that other connections have sent in the meantime.
			setImmediate(() => {
				if (!socket.destroyed) connection.next.shift()?.();
			});
		});
		const start = () => listener(incoming, outgoing);
		if (connection.requests === 1) start();
		else connection.next.push(start);
	};
}
