// Gives one tool at a time a serial port, on a local server.
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { type Protocol, plainBytes, type RemoteSerial, ToolConnection } from './tool-connection.ts';

export interface ToolServerOptions {
	/** Opens the serial port for a tool that has connected. */
	open(): Promise<RemoteSerial>;
	/** Called with the reason when a tool loses the serial port, or does not get it. */
	onFailure?(reason: Error): void;
	/** Resets a board that expects it by its DTR for each tool, because plain bytes do not have that. */
	readonly resetOnOpen?: boolean | undefined;
	/** Default: plain bytes. */
	protocol?(): Protocol;
}

/** Listens on loopback or on a path; not while a tool is connected, so that another is refused at once. */
export class ToolServer {
	readonly #options: ToolServerOptions;
	readonly #server: Server;
	readonly #stopping = new AbortController();
	#where: ListenOptions;
	#tool: { socket: Socket; served: Promise<void> } | undefined;

	constructor(where: ListenOptions, options: ToolServerOptions) {
		this.#where = where;
		this.#options = options;
		this.#server = createServer({ allowHalfOpen: true, noDelay: true });
		this.#server.on('connection', (socket) => this.#accept(socket));
	}

	/** Returns the port, or 0 for a path. */
	async listen(): Promise<number> {
		this.#server.listen(this.#where);
		await once(this.#server, 'listening');
		const address = this.#server.address();
		if (typeof address !== 'object' || address === null) return 0;
		this.#where = { ...this.#where, port: address.port };
		return address.port;
	}

	/** Resolves once the next tool may come. */
	async untilFree() {
		await this.#tool?.served;
	}

	async stop() {
		this.#stopping.abort();
		this.#server.close();
		this.#tool?.socket.destroy();
		await this.#tool?.served;
	}

	#accept(socket: Socket) {
		socket.on('error', () => {}); // the tool has left, which the end of its bytes says too
		if (this.#tool || this.#stopping.signal.aborted) return void socket.resetAndDestroy();
		this.#server.close();
		this.#tool = { socket, served: this.#serve(socket).then(() => this.#serveNext()) };
	}

	async #serve(socket: Socket) {
		const { onFailure, protocol = () => plainBytes } = this.#options;
		try {
			const remote = await openPort(this.#options);
			const connection = new ToolConnection(socket, remote, protocol());
			const reason = await connection.run(this.#stopping.signal);
			if (reason !== undefined) onFailure?.(reason);
		} catch (error) {
			onFailure?.(error as Error); // nothing else is thrown
		} finally {
			socket.destroy();
		}
	}

	async #serveNext() {
		this.#tool = undefined;
		if (this.#stopping.signal.aborted) return;
		await this.listen().catch(() => {}); // another program has taken the address
	}
}

async function openPort({ open, resetOnOpen }: ToolServerOptions): Promise<RemoteSerial> {
	const remote = await open();
	try {
		if (resetOnOpen && remote.line?.resets) {
			await remote.set?.({ dtr: false });
			await remote.set?.({ dtr: true });
		}
		return remote;
	} catch (error) {
		await remote.close();
		throw error;
	}
}
