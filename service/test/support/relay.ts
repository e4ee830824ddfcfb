// Passes connections on, until it is told to answer nothing any more.
import { connect, createServer, type Socket } from 'node:net';

export async function startRelay(target: { host: string; port: number }) {
	const sockets: Socket[] = [];
	const server = createServer({ allowHalfOpen: true }, (near) => {
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
		close() {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}
