// Sends seeded requests over sockets and collects what a service must never do.
import { connect } from 'node:net';
import { randomOf } from '../../test/model/random.ts';
import { newDatabase } from '../support/database.ts';
import { type Outcome, shown } from '../support/figures.ts';
import {
	type Place,
	type Progress,
	type RunningService,
	startService,
} from '../support/service.ts';
import { type FuzzRequest, requestMaker } from './fuzz-requests.ts';

interface Fuzzed extends Outcome {
	requests: number;
	/** How many responses had each status. */
	statuses: Record<string, number>;
	/** Megabytes of memory of the service, at first and at most. */
	memory: [number, number];
}

interface Wanted {
	requests: number;
	seed: number;
	progress?: Progress;
}

const connections = 16;
/** Longer than any single request takes, even on a busy machine. */
const patience = 20_000;

/** Fuzzes a service on a new database, with its limits out of the way of what is behind them. */
export async function fuzzDatabase({ main, cluster }: Place, wanted: Wanted): Promise<Fuzzed> {
	await using database = await newDatabase(cluster);
	const env = {
		RATE_LIMIT_PER_ADDRESS: '1000000',
		RATE_LIMIT_FAILED_CREDENTIALS: '1000000',
		LOG_LEVEL: 'warn',
	};
	await using service = await startService({ main, database: database.location, demo: true, env });
	const startedAt = performance.now();
	const { requests, statuses, problems, memory } = await fuzz(service, wanted);
	const seconds = (performance.now() - startedAt) / 1000;
	const codes = Object.entries(statuses).map(([status, number]) => `${status}: ${shown(number)}`);
	const responses = Object.values(statuses).reduce((sum, count) => sum + count, 0);
	return {
		...{ requests, statuses, memory, problems },
		attack: `${shown(requests)} invalid requests over sockets, in ${shown(seconds)} s`,
		outcome: `${shown(responses)} responses (${codes.join(', ')}), memory from ${shown(memory[0])} to at most ${shown(memory[1])} MB`,
	};
}

async function fuzz(service: RunningService, { requests, seed, progress }: Wanted) {
	const next = requestMaker(randomOf(seed), service.credentials);
	const statuses: Record<string, number> = {};
	const problems: string[] = [];
	const start = await service.megabytes();
	const memory: [number, number] = [start, start];
	const sample = async () => {
		memory[1] = Math.max(memory[1], await service.megabytes());
	};
	const sampling = setInterval(sample, 1_000);
	let sent = 0;
	const work = async () => {
		while (sent < requests && problems.length < 20) {
			sent += 1;
			const request = next();
			const received = await exchange(service.url, request);
			progress?.(sent, requests);
			for (const problem of judge(received, request, statuses)) {
				const [asked, came] = [request.bytes, received].map((bytes) => quoted(bytes));
				problems.push(`${problem}\n  request: ${asked}\n  response: ${came}`);
			}
		}
	};
	await Promise.all(Array.from({ length: connections }, work));
	clearInterval(sampling);
	await sample();
	if (!service.running()) problems.push('The process has ended');
	const errors = service.output().match(/\{"level":"error".*/g) ?? [];
	problems.push(...errors.slice(0, 5));
	return { requests: sent, statuses, problems, memory };
}

/** Sends bytes on a connection of their own, and returns all that comes back. */
function exchange(url: string, { bytes, framed }: FuzzRequest) {
	return new Promise<Buffer>((resolve) => {
		const { hostname, port } = new URL(url);
		const chunks: Buffer[] = [];
		const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
		const timer = setTimeout(() => {
			chunks.push(Buffer.from(timedOut));
			socket.destroy();
		}, patience);
		socket.on('data', (chunk) => chunks.push(chunk));
		socket.on('end', () => socket.end());
		socket.on('error', () => {});
		socket.on('close', () => {
			clearTimeout(timer);
			resolve(Buffer.concat(chunks));
		});
		// A framed request asks for the connection to be closed. Others end only when the client ends its side:
		// after that, Node.js drops the responses that the service has not sent yet.
		if (framed) socket.write(bytes);
		else socket.end(bytes);
	});
}

const timedOut = '\n[no end of the response in time]';
const trace =
	/\n\s+at |node:internal|node_modules|\.tsx?:\d|ERR_[A-Z]|SQLITE_|sqlite error|PostgresError/;
/** The head of a response; what a body holds at the start of a line could be one too. */
const heads = /(?:^|[\r\n}>])HTTP\/1\.[01] (\d{3}) [^\r\n]*\r\n([\s\S]*?)\r\n\r\n/g;

/** Counts the responses that came back on a connection, and returns what is wrong with them. */
function judge(received: Buffer, { framed }: FuzzRequest, statuses: Record<string, number>) {
	const text = received.toString('latin1');
	const problems: string[] = [];
	if (text.endsWith(timedOut)) problems.push('no end in time');
	if (trace.test(text.replace(/<pre[\s\S]*?<\/pre>/g, ''))) problems.push('a stack trace');
	const found = [...text.matchAll(heads)];
	if (framed && found.length === 0) problems.push('no response');
	for (const [, status = '', head = ''] of found) {
		statuses[status] = (statuses[status] ?? 0) + 1;
		if (status.startsWith('5')) problems.push(`status ${status}`);
		const identified = status === '100' || /^x-request-id: \S/im.test(head);
		if (!identified) problems.push('no request identifier');
	}
	return problems;
}

function quoted(bytes: Buffer) {
	return JSON.stringify(bytes.subarray(0, 600).toString('latin1'));
}
