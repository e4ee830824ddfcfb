// The built service in its own processes, as it is shipped, but with limits that are never reached.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The path of the built command, and the database that it uses. */
export interface Installation {
	main: string;
	location: string;
}

export interface Replica {
	origin: string;
	pid: number;
	stop(): Promise<void>;
}

const unlimited = Object.fromEntries(
	['PER_KEY', 'PER_ACCOUNT', 'PER_AGENT', 'PER_ADDRESS']
		.map((name) => [`RATE_LIMIT_${name}`, '1000000000'])
		.concat([
			['LEASES_PER_ACCOUNT', '1000000'],
			['MAX_CONNECTIONS', '100000'],
		]),
);

export async function startReplica({ main, location }: Installation): Promise<Replica> {
	const port = await freePort();
	const child = spawn(process.execPath, [main, 'start', '--port', String(port)], {
		env: { PATH: process.env.PATH ?? '', DATABASE_URL: location, ...unlimited },
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const origin = `http://127.0.0.1:${port}`;
	while (!(await isReady(origin))) {
		if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`);
		await wait(50);
	}
	return {
		origin,
		pid: child.pid ?? 0,
		async stop() {
			child.kill();
			await once(child, 'exit');
		},
	};
}

/** Runs a command of the service on a database, and returns what it prints. */
export async function runCommand({ main, location }: Installation, ...words: string[]) {
	const env = { PATH: process.env.PATH ?? '', DATABASE_URL: location };
	const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { env });
	return stdout.trim();
}

function isReady(origin: string) {
	return fetch(`${origin}/readyz`).then(
		({ ok }) => ok,
		() => false,
	);
}

async function freePort() {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	return typeof address === 'object' && address ? address.port : 0;
}
