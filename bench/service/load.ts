// A process that requests one address over kept-alive connections and measures each response. Plain
// sockets and responses of one length keep the load cheaper than the server, and the times finer
// than a millisecond.
import { connect } from 'node:net';
import { summaryOf } from '../../service/test/siege/report.ts';
import { type Credential, credentialOf } from './credential.ts';

export interface LoadTask extends Credential {
	/** Connections are dealt out to these in turn. */
	urls: readonly string[];
	connections: number;
	seconds: number;
}

export interface Load {
	requests: number;
	seconds: number;
	/** Milliseconds within which half, and 99 of 100, of the responses arrived. */
	median: number;
	p99: number;
}

function lengthOf(chunk: Buffer) {
	const text = chunk.toString('latin1');
	if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 300));
	const length = /content-length: (\d+)/i.exec(text)?.[1];
	return text.indexOf('\r\n\r\n') + 4 + Number(length);
}

/** Sends requests until `next` returns false. */
function connection(url: URL, header: string, next: (took?: number) => boolean) {
	return new Promise<void>((resolve, reject) => {
		const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${header}\r\n\r\n`;
		let received = 0;
		let expected = 0;
		let askedAt = 0;
		const socket = connect({ host: url.hostname, port: Number(url.port) });
		const ask = () => {
			askedAt = performance.now();
			socket.write(request);
		};
		socket.on('connect', ask);
		socket.on('error', reject);
		socket.on('data', (chunk: Buffer) => {
			if (received === 0) expected = lengthOf(chunk);
			received += chunk.length;
			if (received < expected) return;
			received = 0;
			if (next(performance.now() - askedAt)) return ask();
			socket.destroy();
			resolve();
		});
	});
}

async function load(task: LoadTask): Promise<Load> {
	const { urls, connections, seconds } = task;
	const times: number[] = [];
	const startedAt = performance.now();
	const next = (took: number) => {
		times.push(took);
		return performance.now() - startedAt < seconds * 1000;
	};
	const open = Array.from({ length: connections }, (_, index) =>
		connection(new URL(urls[index % urls.length] ?? ''), credentialOf(task), (took = 0) =>
			next(took),
		),
	);
	await Promise.all(open);
	const { p50: median, p99 } = summaryOf(times);
	return { requests: times.length, seconds: (performance.now() - startedAt) / 1000, median, p99 };
}

process.on('message', async (task: LoadTask) => {
	process.send?.(await load(task));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
