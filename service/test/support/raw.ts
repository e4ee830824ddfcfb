// A connection on which anything can be sent.
import { connect } from 'node:net';

/** Sends the text and answers all that comes back until the connection closes or time is up. */
export function sendRaw(url: string, text: string | Buffer, { patience = 1000 } = {}) {
	return new Promise<string>((resolve) => {
		const { hostname, port } = new URL(url);
		let answer = '';
		const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
		const finish = () => {
			socket.destroy();
			resolve(answer);
		};
		socket.on('data', (chunk) => {
			answer += chunk.toString('latin1');
		});
		socket.on('error', finish).on('close', finish);
		setTimeout(finish, patience).unref();
	});
}
