// Requests per second of one address with one key, over kept-alive connections. A bare socket
// and answers of one length keep the measuring cheaper than what is measured.
import { connect } from 'node:net';

export const requestsPerSecond = async (url, key, { seconds = 3, connections = 16 } = {}) => {
	const { hostname, port, pathname, search } = new URL(url);
	const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
	const until = performance.now() + seconds * 1000;
	const counts = await Promise.all(
		Array.from({ length: connections }, () => ask({ hostname, port, request, until })),
	);
	return counts.reduce((sum, count) => sum + count) / seconds;
};

const ask = ({ hostname, port, request, until }) =>
	new Promise((resolve, reject) => {
		let count = 0;
		let received = 0;
		let expected = 0;
		const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
		socket.on('error', reject);
		socket.on('data', (chunk) => {
			received += chunk.length;
			expected ||= lengthOf(chunk);
			if (received < expected) return;
			received = 0;
			count += 1;
			if (performance.now() < until) return socket.write(request);
			socket.destroy();
			resolve(count);
		});
	});

const lengthOf = (chunk) => {
	const text = chunk.toString('latin1');
	if (!text.startsWith('HTTP/1.1 200')) throw new Error(text);
	const head = text.indexOf('\r\n\r\n') + 4;
	return head + Number(/content-length: (\d+)/i.exec(text)[1]);
};
