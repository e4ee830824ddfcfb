// Passes connections on, until a test stops its responses or makes it refuse them.
import { connect, createServer, type Socket } from 'node:net';

export async function startRelay(target: { host: string; port: number }) {
	const sockets: Socket[] = [];
	let refuses = false;
	const server = createServer({ allowHalfOpen: true }, (near) => {
		if (refuses) {
			near.destroy();
			return;
		}
		const far = connect(target);
		near.pipe(far).pipe(near);
		for (const socket of [near, far]) sockets.push(socket.on('error', () => {}));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : 0,
		freeze() {
			for (const socket of sockets) socket.unpipe().pause();
		},
		/** Breaks every connection, and refuses new ones until it is restored. */
		cut() {
			refuses = true;
			for (const socket of sockets.splice(0)) socket.destroy();
		},
		restore() {
			refuses = false;
		},
		close() {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}
