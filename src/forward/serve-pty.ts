// A serial port as a terminal of this machine, made by socat.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PortServer } from './serve.ts';
import { ToolServer, type ToolServerOptions } from './tool-server.ts';

interface PtyOptions extends ToolServerOptions {
	/** Where a link leads to the terminal. It must not exist yet. */
	readonly path: string;
}

/** Serves plain bytes on a terminal: its speed, parity and control lines do not reach the board. */
export async function servePty(options: PtyOptions): Promise<PortServer> {
	const { path } = options;
	const folder = await mkdtemp(join(tmpdir(), 'board-access-pty-'));
	const where = { path: join(folder, socketName) };
	const server = new ToolServer(where, options);
	const stopping = new AbortController();
	const { signal } = stopping;
	const cleanUp = async () => {
		await server.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await server.listen();
		const first = await openTerminal({ folder, path, signal });
		const ended = serveTools(first, { folder, path, signal, server })
			.catch(() => {}) // the terminal cannot be made again, or is not needed any more
			.finally(cleanUp);
		const stop = async () => {
			stopping.abort();
			await ended;
		};
		return { address: path, stop };
	} catch (error) {
		await cleanUp();
		throw error;
	}
}

interface Place {
	readonly folder: string;
	readonly path: string;
	readonly signal: AbortSignal;
}

const socketName = 'serial';

/** Gives each tool a terminal of its own, so that none reads what is left of the tool before. */
async function serveTools(first: ChildProcess, place: Place & { readonly server: ToolServer }) {
	for (let socat = first; ; socat = await openTerminal(place)) {
		const isRunning = socat.exitCode === null && socat.signalCode === null;
		if (isRunning) await new Promise((resolve) => socat.once('exit', resolve));
		await rm(place.path, { force: true });
		if (place.signal.aborted) return undefined;
		await place.server.untilFree();
	}
}

/** Starts socat, which connects to the server once a tool opens the terminal, and ends once the tool closes it. */
async function openTerminal({ folder, path, signal }: Place): Promise<ChildProcess> {
	const terminal = 'PTY,raw,echo=0,wait-slave,pty-interval=0.02';
	const socat = spawn('socat', ['-dd', '-t0.2', terminal, `UNIX-CONNECT:${socketName}`], {
		cwd: folder,
		stdio: ['ignore', 'ignore', 'pipe'],
		signal,
	});
	const failed = once(socat, 'error').then(([cause]) => {
		const error = new Error(`socat does not start: ${messageOf(cause)}`, { cause });
		throw Object.assign(error, { hint: 'Install socat, or use a port of TCP or RFC 2217.' });
	});
	failed.catch(() => {}); // it ends by the signal, too
	const device = await Promise.race([deviceOf(socat), failed]);
	try {
		await symlink(device, path);
		return socat;
	} catch (cause) {
		socat.kill();
		throw new Error(`${path} cannot be created: ${messageOf(cause)}`, { cause });
	}
}

/** The terminal that socat names in its log. The rest of the log is read and dropped. */
async function deviceOf({ stderr }: ChildProcess): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	if (stderr === null) throw new Error('socat has no log'); // it is a pipe
	const lines = createInterface(stderr);
	lines.on('line', (line) => {
		const [, device] = line.match(/PTY is (\S+)/) ?? [];
		if (device) resolve(device);
	});
	lines.on('close', () => reject(new Error('socat has made no terminal')));
	return promise;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
