// Loads that callers can put on the service, as measured scenarios: each measures its effect on others.
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { searchColumns } from '../../src/boards/words.ts';
import {
	median,
	newDatabase,
	type Place,
	type RunningService,
	type SiegeDatabase,
	seedDatabase,
	startService,
} from './lab.ts';
import { startLoad } from './load.ts';

export interface Measured {
	scenario: string;
	attack: string;
	/** What others saw, or what the process did. */
	outcome: string;
	/** What the outcome must stay within. */
	limit: string;
	/** Whether it did. */
	held: boolean;
}

interface Siege extends Place {
	/** How long each attack lasts. */
	seconds: number;
	/** Of the scenarios, these only. */
	only?: readonly string[] | undefined;
}

/** A monitor that gives up after a second, as most do, must not restart the service. */
const responseLimit = { median: 50, most: 1_000 };
const logInSeconds = 10;
const megabytesLimit = 300;

const scenarios: Record<string, (siege: Siege) => Promise<Measured>> = {
	sockets: idleSockets,
	unread: unreadResponses,
	strangers,
	logins: logIns,
	keys: revokedKeys,
	boards: boardReads,
};

export const scenarioNames = Object.keys(scenarios);

/** Runs the scenarios, one after the other. */
export async function besiege(siege: Siege): Promise<Measured[]> {
	const measured: Measured[] = [];
	for (const [name, scenario] of Object.entries(scenarios)) {
		if (siege.only && !siege.only.includes(name)) continue;
		const result = await scenario(siege);
		console.error(`${result.held ? 'held' : 'NOT HELD'}: ${result.scenario}: ${result.outcome}`);
		measured.push(result);
	}
	return measured;
}

interface Lab {
	service: RunningService;
	apiKey: string;
	freeApiKey: string;
	login: { email: string; password: string };
}

/** Opens a service on a new database, and closes both after the work. */
async function withLab<Result>(
	{ main, cluster }: Place,
	work: (lab: Lab) => Promise<Result>,
	{
		env,
		openFiles,
		fill,
	}: {
		env?: Record<string, string>;
		openFiles?: number;
		fill?: (database: SiegeDatabase) => Promise<unknown>;
	} = {},
) {
	const database = await newDatabase(cluster);
	try {
		const { apiKey, freeApiKey, ...login } = await seedDatabase(main, database.location);
		await fill?.(database);
		const service = await startService({
			main,
			database: database.location,
			...(env && { env }),
			...(openFiles !== undefined && { openFiles }),
		});
		try {
			return await work({ service, apiKey, freeApiKey, login });
		} finally {
			await service.stop('SIGKILL');
		}
	} finally {
		await database.remove();
	}
}

function idleSockets(siege: Siege) {
	return withLab(
		siege,
		async ({ service }) => {
			const sockets = Array.from({ length: 3_000 }, (_, index) =>
				open(service.url, `127.0.0.${1 + (index % 20)}`),
			);
			await wait(500);
			const times = await timeRequests(`${service.url}/healthz`, { seconds: siege.seconds });
			for (const socket of sockets) socket.destroy();
			return {
				scenario: 'Idle sockets',
				attack: '3,000 idle sockets from 20 addresses; 1,024 open files allowed',
				...describeTimes('GET /healthz on new connections', times),
			};
		},
		{ openFiles: 1_024 },
	);
}

function unreadResponses(siege: Siege) {
	return withLab(siege, async ({ service }) => {
		const before = await service.megabytes();
		const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
		const sockets = Array.from({ length: 8 }, () => open(service.url, '127.0.0.2'));
		for (const socket of sockets) socket.write(request.repeat((1024 * 1024) / request.length));
		const times = await timeRequests(`${service.url}/healthz`, siege);
		const grown = (await service.megabytes()) - before;
		for (const socket of sockets) socket.destroy();
		const seen = describeTimes('GET /healthz', times);
		return {
			scenario: 'Unread responses',
			attack: '8 connections each send 1 MB of requests and read nothing',
			outcome: `memory grows by ${grown.toFixed(0)} MB; ${seen.outcome}`,
			limit: `${megabytesLimit} MB; ${seen.limit}`,
			held: seen.held && grown <= megabytesLimit,
		};
	});
}

function strangers(siege: Siege) {
	return withLab(siege, async ({ service, apiKey }) => {
		const url = `${service.url}/v1/boards?limit=20`;
		const calm = median((await timeRequests(url, { ...siege, apiKey })).times);
		const flood = startLoad({
			url: service.url,
			paths: ['/', '/login', '/docs'],
			connections: 20,
			headers: [],
		});
		const times = await timeRequests(url, { ...siege, apiKey });
		const sent = await flood.stop();
		const seen = describeTimes("another user's GET /v1/boards", times);
		return {
			scenario: 'Requests without a credential',
			attack: `20 connections request pages: ${sent.toLocaleString('en')} requests in ${siege.seconds} s`,
			...seen,
			outcome: `${seen.outcome} (${calm.toFixed(1)} ms before)`,
		};
	});
}

function logIns(siege: Siege) {
	return withLab(
		siege,
		async ({ service, apiKey, login }) => {
			const logIn = (address: string, password: string) =>
				fetch(`${service.url}/login`, {
					method: 'POST',
					redirect: 'manual',
					body: new URLSearchParams({ email: login.email, password }),
					headers: { origin: service.url, 'x-forwarded-for': address },
				});
			const attempts = Array.from({ length: 400 }, (_, index) =>
				logIn(`198.51.${index >> 8}.${index & 255}`, 'not the password').then(
					({ status }) => status,
				),
			);
			const startedAt = performance.now();
			let tries = 0;
			const entered = async () => {
				tries += 1;
				const { status } = await logIn('192.0.2.1', login.password);
				return status === 303;
			};
			while (!(await entered()) && tries < 300) await wait(100);
			const seconds = (performance.now() - startedAt) / 1000;
			await Promise.all(attempts);
			const times = await timeRequests(`${service.url}/v1/boards`, { seconds: 1, apiKey });
			return {
				scenario: 'A flood of log-ins',
				attack: '400 log-ins from 400 addresses at once',
				outcome: `a valid log-in succeeds after ${seconds.toFixed(1)} s and ${tries} attempts`,
				limit: `${logInSeconds} s`,
				held: seconds <= logInSeconds && times.failed === 0,
			};
		},
		{ env: { TRUST_PROXY: 'true', RATE_LIMIT_FAILED_CREDENTIALS: '100000' } },
	);
}

function revokedKeys(siege: Siege) {
	return withLab(
		siege,
		async ({ service, apiKey }) => {
			const times = await timeRequests(`${service.url}/v1/auth/keys`, { ...siege, apiKey });
			return {
				scenario: 'Revoked keys',
				attack: 'the account has revoked 500,000 keys',
				...describeTimes('its GET /v1/auth/keys', times),
			};
		},
		{
			fill: async (database) => {
				await database.run(
					`insert into api_keys (id, account_id, hash, hint, created_at, revoked_at) ${numbers(500_000)} select 'key_' || cast(i as text), (select account_id from api_keys where scope = 'full' and account_id in (select id from accounts where role = 'admin') limit 1), 'hash' || cast(i as text), 'key_', '2026-01-05T08:00:00.000Z', '2026-01-06T08:00:00.000Z' from n`,
				);
			},
		},
	);
}

function boardReads(siege: Siege) {
	return withLab(
		siege,
		async ({ service, apiKey, freeApiKey }) => {
			const url = `${service.url}/v1/boards?limit=20`;
			const calm = median((await timeRequests(url, { ...siege, apiKey })).times);
			const cookie = await signUp(service.url);
			const flood = startLoad({
				url: service.url,
				paths: [
					'/boards?sort=-updated_at',
					'/boards?sort=status&page=4000',
					'/boards?page=4999',
					'/boards?q=rack',
					'/boards?q=location:rack-1',
					'/boards?q=camera+display',
					'/boards?q=esp32+firmware-3+s',
					'/boards?q=SN{n}',
					'/boards?status=available&sort=-name',
					'/v1/boards?tag=location:rack-7&limit=200',
					'/v1/boards?tag=nowhere:{n}',
				],
				connections: 20,
				headers: [`Cookie: ${cookie}`, `Authorization: Bearer ${freeApiKey}`],
			});
			const times = await timeRequests(url, { ...siege, apiKey });
			const sent = await flood.stop();
			const seen = describeTimes("another user's GET /v1/boards", times);
			return {
				scenario: 'Expensive reads of boards',
				attack: `100,000 boards; one free account sorts, searches and pages over 20 connections: ${sent.toLocaleString('en')} requests in ${siege.seconds} s`,
				...seen,
				outcome: `${seen.outcome} (${calm.toFixed(1)} ms before)`,
			};
		},
		{
			fill: addManyBoards,
		},
	);
}

/**
 * Boards with the words that people use to describe them, so that the search index has a realistic size.
 * Written directly to the database, because an import through the service takes a minute.
 */
async function addManyBoards(database: SiegeDatabase) {
	const time = '2026-01-05T08:00:00.000Z';
	for (let first = 0; first < manyBoards; first += 1_000) {
		const rows = Array.from({ length: 1_000 }, (_, index) => {
			const { tags, ...board } = boardAt(first + index);
			const { name_key, words } = searchColumns({ ...board, tags });
			const fields = { ...board, tags: JSON.stringify(tags), name_key, words };
			return `('available', 'available', '${time}', '${time}', '${Object.values(fields).join("', '")}')`;
		});
		await database.run(
			`insert into boards (status, base_status, created_at, updated_at, id, name, board_type, description, tags, name_key, words) values ${rows.join(', ')}`,
		);
	}
	// As in a database that has been in use for a while.
	await database.run('vacuum');
	await database.run('analyze');
}

const manyBoards = 100_000;
const types = [
	'esp32-s3',
	'esp32-c6',
	'rp2040-pico',
	'arduino-uno',
	'nrf52840-dk',
	'stm32f4-disco',
];
const notes = [
	'camera on its display',
	'logic analyser on SPI',
	'battery of 2000 mAh',
	'antenna outside, no case',
	'two relays and a servo',
];

function boardAt(index: number) {
	const type = types[index % types.length] ?? '';
	return {
		id: `brd_siege_${index}`,
		name: `${type}-${(index * 7919) % manyBoards}`,
		board_type: type,
		description: `Bench ${index % 230}, shelf ${index % 9}: ${notes[index % notes.length]}`,
		tags: {
			location: `rack-${index % 40}`,
			team: `firmware-${index % 17}`,
			serial: `SN${(index * 104_729) % 10_000_019}`,
		},
	};
}

function numbers(count: number) {
	return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
}

async function signUp(url: string) {
	const response = await fetch(`${url}/signup`, {
		method: 'POST',
		redirect: 'manual',
		body: new URLSearchParams({ email: 'siege@example.com', password: 'a long sentence' }),
		headers: { origin: url },
	});
	return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

function open(url: string, localAddress = '127.0.0.1'): Socket {
	const { hostname, port } = new URL(url);
	const socket = connect({ host: hostname, port: Number(port), localAddress });
	socket.on('error', () => {});
	return socket;
}

interface Times {
	times: number[];
	/** Requests without a response of status 200. */
	failed: number;
}

/** Sends one request after the other, each on a new connection without a key, and times them. */
async function timeRequests(
	url: string,
	{ seconds, apiKey }: { seconds: number; apiKey?: string },
): Promise<Times> {
	const times: number[] = [];
	let failed = 0;
	const end = performance.now() + seconds * 1000;
	while (performance.now() < end) {
		const startedAt = performance.now();
		const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : { connection: 'close' };
		const status = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) })
			.then(async (response) => {
				await response.arrayBuffer();
				return response.status;
			})
			.catch(() => 0);
		times.push(performance.now() - startedAt);
		if (status !== 200) failed += 1;
		await wait(10);
	}
	return { times, failed };
}

/** Held if no request failed, and the median and the slowest are within the limit. */
function describeTimes(what: string, { times, failed }: Times) {
	const middle = median(times);
	const most = Math.max(...times);
	return {
		outcome: `${what}: ${times.length} requests, ${failed} failed, median ${middle.toFixed(1)} ms, at most ${most.toFixed(0)} ms`,
		limit: `none failed, median ${responseLimit.median} ms, at most ${responseLimit.most} ms`,
		held: failed === 0 && middle <= responseLimit.median && most <= responseLimit.most,
	};
}
