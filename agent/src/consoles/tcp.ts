// A console behind a TCP port, such as that of ser2net or QEMU.
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Connect, calledBack, ReconnectingConsole } from './reconnecting.ts';

/** In milliseconds. Node gives up after ten probes, one a second. */
const silenceBeforeProbes = 5_000;

export function createTcpConsole({ host, port }: { host: string; port: number }) {
	const keepAlive = { keepAlive: true, keepAliveInitialDelay: silenceBeforeProbes };
	const open: Connect = async (events) => {
		const socket = connect({ host, port, noDelay: true, ...keepAlive });
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
	};
	return new ReconnectingConsole(open, `${host}:${port}`);
}
