/**
 * Local ports for the tools of a user, in Node.js.
 *
 * @module board-access/forward
 */
import type { AnyLease } from 'board-access';
import { type PortServer, serveRfc2217, serveTcp } from './serve.ts';
import { servePty } from './serve-pty.ts';
import type { RemoteSerial } from './tool-connection.ts';

/** What is used of a lease. */
export type ForwardedLease = Pick<AnyLease, 'id' | 'boardId' | 'channel'>;

/** One local port: for whom, and where. */
export interface ForwardedPort {
	/**
	 * `serial`: RFC 2217, with settings and control lines. `tcp`: the bytes of a serial port alone. `pty`: a
	 * terminal of this machine. `gdb`: the remote protocol of GDB.
	 */
	readonly kind: 'serial' | 'tcp' | 'pty' | 'gdb';
	/** The name of the serial port, for a board that has several. Default: that of the console. */
	readonly name?: string | undefined;
	/** The TCP port on 127.0.0.1. Default: any free one. */
	readonly port?: number | undefined;
	/** Where a link leads to the terminal; for `pty` only. */
	readonly path?: string | undefined;
}

/** What can be set for `forward`. */
export interface ForwardOptions {
	/** Called with the reason when a tool loses its port, or does not get it. */
	onFailure?: ((error: Error) => void) | undefined;
}

/** Local ports that are open. */
export interface Forwarding extends AsyncDisposable {
	/** The address of each port, in the order of the ports. */
	readonly addresses: readonly string[];
	/** Variables for a tool: `BOARD_SERIAL`, `BOARD_GDB`, `BOARD_ID`, `BOARD_LEASE` and others. */
	readonly env: Readonly<Record<string, string>>;
	/** Closes the ports. */
	stop(): Promise<void>;
}

/**
 * Gives tools on this machine the ports of a leased board, as long as the process runs: a debugger, a serial
 * monitor, a flash tool. Only this machine reaches them, and one tool at a time uses each.
 *
 * @throws an error of `lease.channel` if the board does not have a port.
 *
 * @example
 * ```ts
 * await using forwarding = await forward(lease, [{ kind: 'serial' }, { kind: 'gdb', port: 3333 }]);
 * console.log(forwarding.env.BOARD_SERIAL); // rfc2217://127.0.0.1:41237
 * ```
 */
export async function forward(
	lease: ForwardedLease,
	ports: readonly ForwardedPort[],
	{ onFailure = () => {} }: ForwardOptions = {},
): Promise<Forwarding> {
	const servers: PortServer[] = [];
	const stop = async () => {
		await Promise.all(servers.map((server) => server.stop()));
	};
	try {
		for (const port of ports) {
			// Tells at once what the board does not have.
			await (await openChannel(lease, port)).close();
			servers.push(await serve(lease, port, onFailure));
		}
	} catch (error) {
		await stop();
		throw error;
	}
	const addresses = servers.map(({ address }) => address);
	return {
		addresses,
		env: {
			...Object.fromEntries(ports.map((port, index) => [nameOf(port), addresses[index] ?? ''])),
			BOARD_LEASE: lease.id,
			...(lease.boardId !== null && { BOARD_ID: lease.boardId }),
		},
		stop,
		[Symbol.asyncDispose]: stop,
	};
}

/** `BOARD_SERIAL`, or `BOARD_SERIAL_MODEM` for the port `modem`. */
function nameOf({ kind, name }: ForwardedPort) {
	const words = ['board', kind, ...(name === undefined ? [] : name.split('-'))];
	return words.join('_').toUpperCase();
}

async function serve(
	lease: ForwardedLease,
	given: ForwardedPort,
	onFailure: (error: Error) => void,
): Promise<PortServer> {
	const { kind, port, path } = given;
	const options = {
		port,
		open: () => openChannel(lease, given),
		onFailure,
		resetOnOpen: kind === 'tcp' || kind === 'pty',
	};
	if (kind === 'serial') return serveRfc2217(options);
	if (kind !== 'pty') return serveTcp(options);
	if (path === undefined) throw new TypeError('A port of the kind pty needs a path');
	return servePty({ ...options, path });
}

async function openChannel(
	lease: ForwardedLease,
	{ kind, name }: ForwardedPort,
): Promise<RemoteSerial> {
	return kind === 'gdb' ? lease.channel('debug') : lease.channel('serial', { port: name });
}
