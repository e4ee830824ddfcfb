// The service and the bare servers, each in its own process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { here } from '../child.ts';
import type { LeanTask } from './lean.ts';

export interface Server {
	origin: string;
	/** Seconds of processor time so far, of all threads. */
	cpu(): Promise<number>;
	mainCpu(): Promise<number>;
	stop(): Promise<void>;
}

async function freePort() {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	return typeof address === 'object' && address ? address.port : 0;
}

async function untilItResponds(origin: string) {
	for (let attempts = 0; attempts < 6000; attempts += 1) {
		try {
			return await (await fetch(`${origin}/v1/boards`)).text();
		} catch {
			await wait(5);
		}
	}
	throw new Error(`${origin} does not respond`);
}

async function launch(argv: readonly string[], port: number, env: object): Promise<Server> {
	const child = spawn(process.execPath, argv, {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, NODE_ENV: '', ...env },
	});
	const origin = `http://127.0.0.1:${port}`;
	await untilItResponds(origin);
	return {
		origin,
		...processOf(child.pid ?? 0),
		async stop() {
			child.kill();
			await once(child, 'exit');
		},
	};
}

/** The processor time that a process has used. */
export function processOf(pid: number) {
	return {
		async cpu() {
			const threads = await readdir(`/proc/${pid}/task`);
			const times = await Promise.all(threads.map((thread) => cpuOf(pid, thread)));
			return times.reduce((sum, time) => sum + time, 0);
		},
		/** Only of the thread that runs JavaScript: passwords are hashed in others. */
		mainCpu: () => cpuOf(pid, String(pid)),
	};
}

async function cpuOf(pid: number, thread: string) {
	// Nanoseconds, where other files count hundredths of a second.
	const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
	return Number(text.split(' ')[0]) / 1e9;
}

/** The command of the service, by default the one that `npm run build` leaves. */
export const main = process.env.BENCH_SERVICE ?? here('../service/dist/main.js');

/** The service as its image and its systemd unit start it, with its log; only its limits are raised. */
export async function startService(database: string, env: object = {}) {
	const port = await freePort();
	return launch([main, 'start'], port, {
		PORT: String(port),
		DATABASE_URL: database,
		NODE_OPTIONS: '--max-semi-space-size=8',
		RATE_LIMIT_PER_KEY: '1000000',
		RATE_LIMIT_PER_ACCOUNT: '1000000',
		RATE_LIMIT_PER_ADDRESS: '1000000',
		RATE_LIMIT_FAILED_CREDENTIALS: '1000000',
		RATE_LIMIT_PER_AGENT: '1000000',
		LEASES_PER_ACCOUNT: '1000000',
		CONSOLE_STREAMS_PER_ACCOUNT: '1000000',
		MAX_CONNECTIONS: '100000',
		...env,
	});
}

export async function startLean(database: string) {
	const task: LeanTask = { database, port: await freePort() };
	return launch([here('service/lean.ts'), JSON.stringify(task)], task.port, {});
}
