// Passes connections on, until a test stops its responses or makes it refuse them.
import { connect, createServer, type Socket } from 'node:net';

export async function startRelay(target: { host: string; port: number }) {
	const sockets: Socket[] = [];
	const pairs: [Socket, Socket][] = [];
	let refuses = false;
	let frozen = false;
	let received = 0;
	const server = createServer({ allowHalfOpen: true }, (near) => {
		if (refuses) {
			near.destroy();
			return;
		}
		const far = connect(target);
		far.on('data', ({ length }) => {
			received += length;
		});
		pairs.push([near, far]);
		if (!frozen) near.pipe(far).pipe(near);
		for (const socket of [near, far]) sockets.push(socket.on('error', () => {}));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : 0,
		/** The bytes of all responses so far. */
		received: () => received,
		/** Holds everything back, on new connections too, until it is restored. */
		freeze() {
			frozen = true;
			for (const socket of sockets) socket.unpipe().pause();
		},
		/** Breaks every connection, and refuses new ones until it is restored. */
		cut() {
			refuses = true;
			for (const socket of sockets.splice(0)) socket.destroy();
		},
		restore() {
			refuses = false;
			if (frozen) for (const [near, far] of pairs) near.pipe(far).pipe(near);
			frozen = false;
		},
		close() {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}
