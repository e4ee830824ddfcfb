// A console behind a TCP port, such as that of ser2net or QEMU.
import { once } from 'node:events';
import { connect } from 'node:net';
import {
	type Connection,
	type ConnectionEvents,
	calledBack,
	ReconnectingConsole,
} from './reconnecting.ts';

interface Address {
	readonly host: string;
	readonly port: number;
}

/** In milliseconds. Node gives up after ten probes, one a second. */
const silenceBeforeProbes = 5_000;

export function createTcpConsole({ host, port }: Address): ReconnectingConsole {
	return new ReconnectingConsole((events) => openSocket({ host, port }, events), `${host}:${port}`);
}

async function openSocket({ host, port }: Address, events: ConnectionEvents): Promise<Connection> {
	const socket = connect({
		host,
		port,
		noDelay: true,
		keepAlive: true,
		keepAliveInitialDelay: silenceBeforeProbes,
	});
	await once(socket, 'connect');
	let reason = 'the connection was closed';
	socket.on('data', events.output);
	socket.on('error', (error) => {
		reason = error.message;
	});
	socket.on('close', () => events.closed(reason));
	return {
		write: (bytes) => calledBack((done) => socket.write(bytes, done)),
		async close() {
			socket.destroy();
		},
	};
}
