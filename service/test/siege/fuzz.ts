// Sends seeded requests over sockets and collects what a service must never do.
import { connect, type Socket } from 'node:net';
import { type FuzzRequest, requestMaker } from './fuzz-requests.ts';
import {
	newDatabase,
	type Place,
	type Progress,
	type RunningService,
	seeded,
	startService,
} from './lab.ts';

export interface FuzzResult {
	requests: number;
	responses: number;
	/** How many responses had each status. */
	statuses: Record<string, number>;
	/** Up to twenty responses that must not be, with the request. */
	violations: string[];
	megabytes: { start: number; most: number };
	seconds: number;
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
export async function fuzzDatabase(place: Place, wanted: Wanted) {
	const database = await newDatabase(place.cluster);
	const env = {
		RATE_LIMIT_PER_ADDRESS: '1000000',
		RATE_LIMIT_FAILED_CREDENTIALS: '1000000',
		LOG_LEVEL: 'warn',
	};
	const { location } = database;
	const service = await startService({ main: place.main, database: location, demo: true, env });
	try {
		return await fuzz(service, wanted);
	} finally {
		await service.stop();
		await database.remove();
	}
}

async function fuzz(
	service: RunningService,
	{ requests, seed, progress }: Wanted,
): Promise<FuzzResult> {
	const next = requestMaker(seeded(seed), service.credentials);
	const result: FuzzResult = {
		requests: 0,
		responses: 0,
		statuses: {},
		violations: [],
		megabytes: { start: await service.megabytes(), most: 0 },
		seconds: 0,
	};
	const startedAt = performance.now();
	const sample = async () => {
		result.megabytes.most = Math.max(result.megabytes.most, await service.megabytes());
	};
	const sampling = setInterval(sample, 1_000);
	const work = async () => {
		while (result.requests < requests && result.violations.length < 20) {
			result.requests += 1;
			const request = next();
			const received = await exchange(service.url, request);
			progress?.(result.requests, requests);
			for (const problem of judge(received, request, result)) {
				result.violations.push(
					`${problem}\n  request: ${shown(request.bytes)}\n  response: ${shown(received)}`,
				);
			}
		}
	};
	await Promise.all(Array.from({ length: connections }, work));
	clearInterval(sampling);
	await sample();
	result.seconds = (performance.now() - startedAt) / 1000;
	if (!service.running()) result.violations.push('The process has ended');
	const errors = service.output().match(/\{"level":"error".*/g) ?? [];
	result.violations.push(...errors.slice(0, 5));
	return result;
}

/** Sends bytes on a connection of their own, and returns all that comes back. */
function exchange(url: string, { bytes, framed }: FuzzRequest) {
	return new Promise<Buffer>((resolve) => {
		const { hostname, port } = new URL(url);
		const chunks: Buffer[] = [];
		const socket: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
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

/** What is wrong with all that came back on a connection. */
function judge(received: Buffer, { framed }: FuzzRequest, result: FuzzResult) {
	const text = received.toString('latin1');
	const problems: string[] = [];
	if (text.endsWith(timedOut)) problems.push('no end in time');
	if (trace.test(text.replace(/<pre[\s\S]*?<\/pre>/g, ''))) problems.push('a stack trace');
	const heads = headsIn(text);
	if (framed && heads.length === 0) problems.push('no response');
	for (const { status, head } of heads) {
		result.responses += 1;
		result.statuses[status] = (result.statuses[status] ?? 0) + 1;
		if (status.startsWith('5')) problems.push(`status ${status}`);
		if (status !== '100' && !/^x-request-id: \S/im.test(head))
			problems.push('no request identifier');
	}
	return problems;
}

/** The heads of the responses; what a body holds at the start of a line could be one too. */
function headsIn(text: string) {
	const heads = text.matchAll(
		/(?:^|[\r\n}>])HTTP\/1\.[01] (\d{3}) [^\r\n]*\r\n([\s\S]*?)\r\n\r\n/g,
	);
	return Array.from(heads, ([, status = '', head = '']) => ({ status, head }));
}

function shown(bytes: Buffer) {
	return JSON.stringify(bytes.subarray(0, 600).toString('latin1'));
}
