// The service as a process that is attacked from outside, with the credentials of its demo.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'pg';

export interface Credentials {
	email: string;
	password: string;
	apiKey: string;
	freeApiKey: string;
}

export interface StartOptions {
	/** The path of the built command. */
	main: string;
	database: string;
	demo?: boolean;
	env?: Record<string, string>;
	/** The limit of open files of the process. */
	openFiles?: number;
}

/** Where an attack takes place: the path of the built command, and PostgreSQL instead of SQLite. */
export interface Place {
	main: string;
	cluster?: string | undefined;
}

/** The command that `npm run build` leaves. */
export const builtCommand = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const generous = {
	RATE_LIMIT_PER_KEY: '1000000',
	RATE_LIMIT_PER_ACCOUNT: '1000000',
	LEASES_PER_ACCOUNT: '1000000',
	CONSOLE_STREAMS_PER_ACCOUNT: '1000000',
	RATE_LIMIT_PER_AGENT: '1000000',
	KEYS_PER_ACCOUNT: '1000000',
};

/** Starts the service and waits until it listens. */
export async function startService({ main, database, demo, env, openFiles }: StartOptions) {
	const words = [main, 'start', '--port', '0', ...(demo ? ['--demo'] : [])];
	const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles}; `;
	const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...words], {
		env: { PATH: process.env.PATH ?? '', DATABASE_URL: database, ...generous, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const exited = once(child, 'exit');
	let text = '';
	const listening = new Promise<void>((resolve) => {
		const end = demo ? 'export SERVICE_API_KEY' : '"address"';
		const read = (chunk: Buffer) => {
			if (text.length < 1_000_000) text += chunk;
			if (text.includes(end)) resolve();
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
	});
	await Promise.race([
		listening,
		exited.then(() => {
			throw new Error(`The service ended: ${text}`);
		}),
	]);
	const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
	const credentials: Credentials = {
		email: found(/ email +(\S+)/),
		password: found(/ password +(\S+)/),
		apiKey: found(/ API key +(\S+)/),
		freeApiKey: found(/ free tier +(\S+)/),
	};
	return {
		url: found(/"address":"([^"]+)"/) || found(/SERVICE_BASE_URL=(\S+)/),
		credentials,
		output: () => text,
		pid: child.pid ?? 0,
		running: () => child.exitCode === null && child.signalCode === null,
		megabytes: () => megabytesOf(child.pid ?? 0),
		async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
			child.kill(signal);
			await exited;
		},
	};
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

/** Fills a new database with the samples of the demo. */
export async function seedDatabase(main: string, database: string) {
	const { credentials, stop } = await startService({ main, database, demo: true });
	await stop();
	return credentials;
}

/** Runs a command of the service on a database, and returns what it prints. */
export async function runCommand(main: string, database: string, ...words: string[]) {
	const env = { PATH: process.env.PATH ?? '', DATABASE_URL: database };
	const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { env });
	return stdout.trim();
}

/** Adds boards as an operator does. */
export async function importBoards(main: string, database: string, records: readonly object[]) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-siege-'));
	const file = join(folder, 'boards.json');
	await writeFile(file, JSON.stringify(records));
	await runCommand(main, database, 'boards', 'import', file);
	await rm(folder, { recursive: true });
}

/** An empty database, and how to read its tables from outside the service. */
export async function newDatabase(cluster?: string) {
	if (cluster) return newPostgres(cluster);
	const folder = await mkdtemp(join(tmpdir(), 'board-access-siege-'));
	const location = join(folder, 'service.db');
	return {
		location,
		async run(statement: string) {
			const connection = new DatabaseSync(location, { timeout: 10_000 });
			const rows = connection.prepare(statement).all();
			connection.close();
			return rows;
		},
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}

export type SiegeDatabase = Awaited<ReturnType<typeof newDatabase>>;

async function newPostgres(cluster: string) {
	const name = `siege_${randomBytes(6).toString('hex')}`;
	await runOnPostgres(`${cluster}/postgres`, `create database ${name}`);
	const location = `${cluster}/${name}`;
	return {
		location,
		run: (statement: string) => runOnPostgres(location, statement),
		remove: () => runOnPostgres(`${cluster}/postgres`, `drop database ${name} with (force)`),
	};
}

async function runOnPostgres(connectionString: string, statement: string) {
	const client = new postgres.Client({ connectionString });
	await client.connect();
	try {
		// The caller knows the columns of its statement.
		return (await client.query(statement)).rows as Record<string, unknown>[];
	} finally {
		await client.end();
	}
}

/** Resident memory of a process, where the operating system tells it. */
export async function megabytesOf(pid: number) {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Called after each step of a long part. */
export type Progress = (done: number, total: number) => void;

/** Prints a line now and then. */
export function printProgress(what: string, seconds = 30): Progress {
	const startedAt = performance.now();
	let last = startedAt;
	return (done, total) => {
		const time = performance.now();
		if (time - last < seconds * 1000) return;
		last = time;
		console.error(`${done} of ${total} ${what}, ${((time - startedAt) / 1000).toFixed(0)} s`);
	};
}

/** A generator of numbers from 0 to 1 that repeats itself for the same seed. */
export function seeded(seed: number) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

export type RandomNumber = ReturnType<typeof seeded>;

export function median(times: number[]) {
	const sorted = times.toSorted((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
