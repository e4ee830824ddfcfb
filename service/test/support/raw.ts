// A connection that sends any bytes.
import { connect } from 'node:net';

/** Sends the text and returns all that comes back until the connection closes or time is up. */
export function sendRaw(url: string, text: string | Buffer, { patience = 1000 } = {}) {
	return new Promise<string>((resolve) => {
		const { hostname, port } = new URL(url);
		let received = '';
		const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
		const finish = () => {
			socket.destroy();
			resolve(received);
		};
		socket.on('data', (chunk) => {
			received += chunk.toString('latin1');
		});
		socket.on('error', finish).on('close', finish);
		setTimeout(finish, patience).unref();
	});
}
