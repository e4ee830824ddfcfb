// Forwards connections, until a test stops the responses or makes it refuse connections.
import { connect, createServer, type Socket } from 'node:net';

export async function startRelay(target: { host: string; port: number }) {
	const sockets: Socket[] = [];
	const pairs: [Socket, Socket][] = [];
	let refuses = false;
	let frozen = false;
	let received = 0;
	let lost: { request: string; times: number } | undefined;
	const translations: [string, string][] = [];
	const server = createServer({ allowHalfOpen: true }, (near) => {
		if (refuses) {
			near.destroy();
			return;
		}
		const far = connect(target);
		far.on('data', (data) => {
			received += data.length;
			// In place, before the data is passed on.
			for (const [text, other] of translations) {
				const at = data.indexOf(text);
				if (at >= 0) data.write(other, at);
			}
		});
		if (frozen) near.pause();
		near.on('data', (data) => {
			if (!lost?.times || !data.includes(lost.request)) return;
			lost.times -= 1;
			far.unpipe(near);
			far.once('data', () => near.destroy()).resume();
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
		/** Replaces a text in each response, where it is first, with another one of the same length. */
		translate(text: string, other: string) {
			translations.push([text, other]);
		},
		/** Holds everything back, on new connections too, until it is restored. */
		freeze() {
			frozen = true;
			for (const socket of sockets) socket.unpipe().pause();
		},
		/** Passes the next requests with this text on, but breaks their connections at the response. */
		lose(request: string, times: number) {
			lost = { request, times };
			return lost;
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
