// The service as a process that is attacked from outside, with the credentials of its demo.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
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
	/** Whether the limits on requests are those of every service; otherwise they are never reached. */
	limited?: boolean;
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
export async function startService({
	main,
	database,
	demo,
	env,
	limited,
	openFiles,
}: StartOptions) {
	// To see where the time goes: NODE_ARGUMENTS='--cpu-prof --cpu-prof-dir=profiles'
	const profiling = process.env.NODE_ARGUMENTS?.split(' ') ?? [];
	const words = [...profiling, main, 'start', '--port', '0', ...(demo ? ['--demo'] : [])];
	const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles}; `;
	const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...words], {
		env: {
			PATH: process.env.PATH ?? '',
			DATABASE_URL: database,
			...(!limited && generous),
			...env,
		},
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

const agentCommand = fileURLToPath(new URL('../../../agent/dist/main.js', import.meta.url));

/** An emulated board. */
export function emulated(id: string) {
	return { id, type: 'arduino-uno', driver: 'emulated' };
}

/** Greets, and sends each line back in upper case. */
export const sampleFirmware = new URL('../../../agent/firmware/uno-sample.hex', import.meta.url);

/** Starts an agent with these boards in its configuration. */
export async function startAgent(service: string, token: string, boards: readonly object[]) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-siege-'));
	const config = join(folder, 'agent.yaml');
	await writeFile(config, JSON.stringify({ service, boards }));
	const child = spawn(process.execPath, [agentCommand, 'start', '--config', config], {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { PATH: process.env.PATH ?? '', BOARD_ACCESS_AGENT_TOKEN: token },
	});
	const exited = once(child, 'exit');
	return {
		megabytes: () => megabytesOf(child.pid ?? 0),
		async stop() {
			child.kill();
			await exited;
			await rm(folder, { recursive: true });
		},
	};
}

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

/** A database that is empty or a copy, and how to read its tables from outside the service. */
export async function newDatabase(cluster?: string, template?: string) {
	if (cluster) return newPostgres(cluster, template);
	const folder = await mkdtemp(join(tmpdir(), 'board-access-siege-'));
	const location = join(folder, 'service.db');
	if (template) await copyFile(template, location);
	return {
		location,
		isPostgres: false,
		async run(statement: string) {
			const connection = new DatabaseSync(location, { timeout: 10_000 });
			const rows = connection.prepare(statement).all();
			connection.close();
			return rows;
		},
		bytes: async () => (await stat(location)).size,
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}

export type SiegeDatabase = Awaited<ReturnType<typeof newDatabase>>;

async function newPostgres(cluster: string, template?: string) {
	const name = `siege_${randomBytes(6).toString('hex')}`;
	const copied = template ? `template ${new URL(template).pathname.slice(1)}` : '';
	await runOnPostgres(`${cluster}/postgres`, `create database ${name} ${copied}`);
	const location = `${cluster}/${name}`;
	return {
		location,
		isPostgres: true,
		run: (statement: string) => runOnPostgres(location, statement),
		async bytes() {
			const [row] = await runOnPostgres(location, `select pg_database_size('${name}') as bytes`);
			return Number(row?.bytes);
		},
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
async function megabytesOf(pid: number) {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/**
 * For how many milliseconds the first thread of a process has waited for a processor, which other programs
 * used; 0 where the operating system does not tell.
 */
export function processorWait(pid: number) {
	try {
		const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
		return Number(waited) / 1e6;
	} catch {
		return 0;
	}
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
