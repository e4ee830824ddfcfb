// Bounds what one connection, one network and all of them can hold: memory, and the descriptors of
// the process.
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLimiter, type Settings } from 'board-access-core';
import { networkOf } from '../address.ts';

/** More requests than any client sends without reading a response. */
const maxOutstanding = 32;

/** Longer than any request waits for a change; streams send data more often. */
const silentMilliseconds = 120_000;

/** In the order in which they have sent a request or received a response. */
type Group = Set<Connection>;

interface Connection {
	socket: Socket;
	/** Requests without a complete response. */
	requests: number;
	/** The request that is being handled, or was last. */
	incoming?: IncomingMessage;
	/** Starts each request that waits for the responses to earlier ones. */
	next: (() => void)[];
	groups: Group[];
	/** The group of those that have carried a valid credential. */
	members: Group;
}

const connections = new WeakMap<Socket, Connection>();

/** How many connections have been accepted. */
let accepted = 0;

/** Records that a connection has carried a valid credential. An upgraded one is used until it is closed. */
export function trustConnection(socket: Socket | undefined, { isUpgraded = false } = {}) {
	const connection = socket && connections.get(socket);
	if (!connection || socket.destroyed) return;
	if (isUpgraded) connection.requests = 1;
	join(connection, [connection.members]);
}

/**
 * Limits what the connections of a server hold. To make room for a new one, it closes one that waits
 * for its peer: of the same network, if that holds more than its share without a credential; otherwise of all without
 * a credential, as long as they hold more than a share. Returns a function that closes the connections that
 * have not sent anything yet, which Node counts as busy.
 */
export function limitConnections(
	server: Server,
	{ maxConnections, trustProxy }: Pick<Settings, 'maxConnections' | 'trustProxy'>,
) {
	const most = connectionLimit(maxConnections);
	const share = Math.ceil(most / 8);
	const strangers: Group = new Set();
	const members: Group = new Set();
	const crowds = new Map<string, Group>();
	server.setTimeout(silentMilliseconds);
	server.on('connection', (socket) => {
		accepted += 1;
		const network = networkOf(socket.remoteAddress ?? '');
		const crowd: Group = crowds.get(network) ?? new Set();
		crowds.set(network, crowd);
		const connection: Connection = { socket, requests: 0, next: [], groups: [], members };
		connections.set(socket, connection);
		join(connection, [crowd, strangers]);
		socket.once('close', () => {
			join(connection, []);
			if (crowd.size === 0 && crowds.get(network) === crowd) crowds.delete(network);
		});
		// Behind a proxy, all connections are the proxy's.
		const isCrowded = !trustProxy && crowd.size > share;
		if (!isCrowded && strangers.size + members.size <= most) return;
		const all = strangers.size > share ? strangers : members;
		const closed = longestWaiting(isCrowded ? crowd : all) ?? connection;
		join(closed, []);
		closed.socket.destroy();
	});
	return () => {
		for (const { socket } of strangers) if (socket.bytesRead === 0) socket.destroy();
	};
}

/** Moves a connection to the end of these groups, and out of all others. */
function join(connection: Connection, groups: Group[]) {
	for (const group of connection.groups) group.delete(connection);
	for (const group of groups) group.add(connection);
	connection.groups = groups;
}

/** The first that waits for a request, or the rest of one. */
function longestWaiting(group: Group) {
	for (const connection of group) {
		if (connection.requests === 0 || connection.incoming?.complete === false) return connection;
	}
	return undefined;
}

/** As many as configured, if the limit of open files leaves room for them besides the other open files. */
export function connectionLimit(wanted: number, openFiles = openFilesLimit()) {
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

/** How many requests of a caller begin in a turn of the event loop, without and with a credential. */
const strangerTurns = createLimiter({ atOnce: 1 });
const memberTurns = createLimiter({ atOnce: 3 });

/** How many turns in a row a request waits for connections that come in, unless its own has carried a credential. */
const maxTurns = 8;

/**
 * Handles the requests of a connection one after the other, and begins few of each caller at a time. Closes a
 * connection that sends many without reading the responses.
 */
export function withBoundedPipelines(listener: RequestListener): RequestListener {
	return (incoming, outgoing) => {
		const { socket } = incoming;
		// Requests that were parsed after the one that closed the connection are dropped.
		if (socket.destroyed) return;
		const connection = connections.get(socket);
		if (!connection) return listener(incoming, outgoing);
		connection.requests += 1;
		join(connection, connection.groups);
		if (connection.requests > maxOutstanding) {
			socket.destroy();
			return;
		}
		const start = async () => {
			connection.incoming = incoming;
			const isMember = connection.groups[0] === connection.members;
			const turns = isMember ? memberTurns : strangerTurns;
			await turns.run(callerOf(incoming), () => nextFreeTurn(isMember ? 1 : maxTurns));
			if (!socket.destroyed) listener(incoming, outgoing);
		};
		outgoing.once('close', () => {
			connection.requests -= 1;
			join(connection, connection.groups);
			connection.next.shift()?.();
		});
		if (connection.requests === 1) void start();
		else connection.next.push(start);
	};
}

/** Whose request it is, as far as can be told without looking up anything. */
function callerOf({ headers, socket }: IncomingMessage) {
	return headers.authorization ?? headers.cookie ?? socket.remoteAddress ?? '';
}

/** Node accepts one connection a turn, so that requests would delay those of others that wait to be accepted. */
async function nextFreeTurn(most: number) {
	for (let [turn, before] = [0, -1]; turn < most && before !== accepted; turn += 1) {
		before = accepted;
		await nextTurn();
	}
}
