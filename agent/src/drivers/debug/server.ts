// The debugger of a real board: a server such as OpenOCD, which runs while a debugger is attached.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { calledBack } from '../../consoles/reconnecting.ts';
import type { PortPath } from '../../consoles/usb.ts';
import type { Permit } from '../../link/contact.ts';
import { wait } from '../../time.ts';
import type { BoardPort, OpenPort, PortEvents } from '../hardware.ts';
import { fillIn } from '../presets.ts';
import { startTool } from '../run-command.ts';
import { checkPackets, followHalts } from './traffic.ts';

export interface DebugServer {
	/** `{port}` stands for the port that it has to listen on. */
	readonly command: readonly string[];
	/** How long it may take until it does, in seconds. */
	readonly startTimeout: number;
}

interface DebugSettings {
	readonly server: DebugServer;
	readonly values: Readonly<Record<string, PortPath>>;
	readonly mark: string;
	readonly permit: Permit;
}

interface DebugPort extends BoardPort {
	/** Ends the server, if it runs. */
	end(reason: string): Promise<void>;
}

const host = '127.0.0.1';

/** Time between attempts to connect, in milliseconds. */
const connectPause = 50;

/** How long a server that has closed the connection may take to end by itself, in milliseconds. */
const maxExit = 500;

export function createDebugPort(settings: DebugSettings): DebugPort {
	let session: Session | undefined;
	return {
		async open(events) {
			if (session?.isEnding) await session.ended;
			if (session) throw new Error('Another debugger is attached');
			const started = new Session();
			session = started;
			started.ended.then(() => {
				session = undefined;
			});
			return started.open(settings, events);
		},
		async end(reason) {
			await session?.end(reason);
		},
	};
}

class Session {
	/** Its reason is why the session ends. */
	readonly #stop = new AbortController();
	readonly #ended = Promise.withResolvers<void>();
	/** Resolves when nothing of the server is left. */
	readonly ended = this.#ended.promise;
	#isStarted = false;

	get isEnding(): boolean {
		return this.#stop.signal.aborted;
	}

	end(reason: string): Promise<void> {
		this.#stop.abort(new Error(reason));
		// It may still wait for its permit, and does not start after that.
		if (!this.#isStarted) this.#ended.resolve();
		return this.ended;
	}

	async open(settings: DebugSettings, events: PortEvents): Promise<OpenPort> {
		const { signal } = this.#stop;
		const { startTimeout } = settings.server;
		const { port, tool } = await this.#start(settings);
		const late = `accepted no connection within ${startTimeout} seconds`;
		const timer = setTimeout(() => this.end(tool.report(late)), startTimeout * 1000);
		const socket = await connectTo(port, signal).finally(() => clearTimeout(timer));
		socket.once('close', () => {
			if (signal.aborted) return;
			setTimeout(() => this.end(tool.report('has closed the connection')), maxExit);
		});
		return this.#join(socket, settings, events);
	}

	async #start({ server, values, mark, permit }: DebugSettings) {
		const { signal } = this.#stop;
		try {
			await permit();
			const port = await freePort();
			signal.throwIfAborted();
			const command = fillIn(server.command, { ...values, port: `${port}` });
			const tool = startTool(command, { folder: tmpdir(), mark });
			this.#isStarted = true;
			signal.addEventListener('abort', tool.stop);
			tool.ended.then((failure = 'has ended') => {
				this.#ended.resolve();
				this.end(tool.report(failure));
			});
			return { port, tool };
		} catch (error) {
			this.#ended.resolve();
			throw error;
		}
	}

	#join(socket: Socket, { permit }: DebugSettings, events: PortEvents): OpenPort {
		const { signal } = this.#stop;
		const halts = followHalts((isHalted) => events.halted?.(isHalted));
		const check = checkPackets({
			async toServer(bytes, packets) {
				halts.fromDebugger(packets);
				await calledBack((done) => socket.write(bytes, done));
			},
			toDebugger: (bytes) => void events.output(bytes),
		});
		let isClosing = false;
		socket.on('error', () => {}); // it is closed, too
		socket.on('data', (bytes) => {
			halts.fromServer(bytes);
			socket.pause();
			void events.output(bytes).finally(() => socket.resume());
		});
		signal.addEventListener('abort', () => {
			socket.destroy();
			if (!isClosing) events.closed(signal.reason.message);
		});
		return {
			async write(bytes) {
				await permit();
				await check(bytes);
			},
			close: () => {
				isClosing = true;
				return this.end('The debugger has left');
			},
		};
	}
}

/** Tries until the server accepts the connection, because it may accept one only. */
async function connectTo(port: number, signal: AbortSignal): Promise<Socket> {
	for (;;) {
		const socket = connect({ host, port, noDelay: true });
		try {
			await once(socket, 'connect', { signal });
			return socket;
		} catch {
			socket.destroy();
			await wait(connectPause, signal);
		}
	}
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, host);
	await once(server, 'listening');
	// An AddressInfo, because the server listens on a port and not on a path.
	const { port } = server.address() as AddressInfo;
	await calledBack((done) => server.close(done));
	return port;
}
