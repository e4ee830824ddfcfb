// The service and agents as processes, as they are started in production.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { megabytesOf } from './machine.ts';
import { send } from './send.ts';

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
	/** Default: a free one. */
	port?: number;
}

/** The path of the built command, and the address of a PostgreSQL to use instead of SQLite. */
export interface Place {
	main: string;
	cluster?: string | undefined;
}

/** The command that `npm run build` leaves. */
export const builtCommand = fileURLToPath(new URL('../../service/dist/main.js', import.meta.url));

const generous = {
	RATE_LIMIT_PER_KEY: '1000000',
	RATE_LIMIT_PER_ADDRESS: '1000000',
	RATE_LIMIT_FAILED_CREDENTIALS: '1000000',
	MAX_CONNECTIONS: '100000',
	RATE_LIMIT_PER_ACCOUNT: '1000000',
	LEASES_PER_ACCOUNT: '1000000',
	CONSOLE_STREAMS_PER_ACCOUNT: '1000000',
	RATE_LIMIT_PER_AGENT: '1000000',
	KEYS_PER_ACCOUNT: '1000000',
};

const environment = { PATH: process.env.PATH ?? '' };

/** Starts the service, and waits until it listens; it is stopped at the end of its block. */
export async function startService(options: StartOptions) {
	const { main, database, demo, env, limited, port = 0 } = options;
	const words = [main, 'start', '--port', String(port), ...(demo ? ['--demo'] : [])];
	const child = spawn(process.execPath, words, {
		env: { ...environment, DATABASE_URL: database, ...(!limited && generous), ...env },
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
		freeApiKey: found(/ colleague[\s\S]* API key +(\S+)/),
	};
	return {
		url: found(/"address":"([^"]+)"/) || found(/SERVICE_BASE_URL=(\S+)/),
		credentials,
		output: () => text,
		pid: child.pid ?? 0,
		running: () => child.exitCode === null && child.signalCode === null,
		megabytes: () => megabytesOf(child.pid ?? 0),
		async kill() {
			child.kill('SIGKILL');
			await exited;
		},
		async [Symbol.asyncDispose]() {
			child.kill();
			await exited;
		},
	};
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

const agentCommand = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url));

/** An emulated board. */
export function emulated(id: string) {
	return { id, type: 'arduino-uno', driver: 'emulated' };
}

/** Greets, and sends each line back in upper case. */
export const sampleFirmware = new URL('../../agent/firmware/uno-sample.hex', import.meta.url);

/** Starts an agent with these boards in its configuration. */
export async function startAgent(service: string, token: string, boards: readonly object[]) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-lab-'));
	const config = join(folder, 'agent.yaml');
	await writeFile(config, JSON.stringify({ service, boards }));
	const child = spawn(process.execPath, [agentCommand, 'start', '--config', config], {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...environment, BOARD_ACCESS_AGENT_TOKEN: token },
	});
	const exited = once(child, 'exit');
	return {
		pid: child.pid ?? 0,
		megabytes: () => megabytesOf(child.pid ?? 0),
		async [Symbol.asyncDispose]() {
			// Without waiting for leases.
			child.kill('SIGINT');
			await exited;
			await rm(folder, { recursive: true });
		},
	};
}

/** Fills a new database with the samples of the demo. */
export async function seedDatabase(main: string, database: string) {
	await using service = await startService({ main, database, demo: true });
	return service.credentials;
}

/** Runs a command of the service on a database, and returns what it prints. */
export async function runCommand(main: string, database: string, ...words: string[]) {
	const env = { ...environment, DATABASE_URL: database };
	const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { env });
	return stdout.trim();
}

/** Creates an agent as an administrator does, and returns its token. */
export async function createAgent(
	origin: string,
	adminKey: string,
	boardIds: readonly string[],
): Promise<string> {
	const body = { name: 'lab', board_ids: boardIds };
	const path = '/v1/admin/agents';
	return JSON.parse(await send({ origin, token: adminKey, path, method: 'POST', body })).token;
}

/** Adds boards as an operator does. */
export async function importBoards(main: string, database: string, records: readonly object[]) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-lab-'));
	const file = join(folder, 'boards.json');
	await writeFile(file, JSON.stringify(records));
	await runCommand(main, database, 'boards', 'import', file);
	await rm(folder, { recursive: true });
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
