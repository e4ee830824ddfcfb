// A console that reconnects whenever its connection is lost: boards disappear while they restart.
import { backoff } from '../backoff.ts';
import { messageOf } from '../printable.ts';
import { wait } from '../time.ts';
import type { BoardConsole, Connect, Connection, ConsoleEvents } from './console.ts';

/** A board that restarts takes its port with it, and prints as soon as it is back. */
const reconnection = { longest: 500 };

/** How long input waits for the connection, in milliseconds. */
const longestWait = 3_000;

/** A connection that accepts no bytes for longer, in milliseconds, is stuck. */
const longestWrite = 5_000;

export function createReconnectingConsole(
	connect: Connect,
	{ address, hasLines }: Pick<BoardConsole, 'address' | 'hasLines'>,
): BoardConsole {
	let running: { controller: AbortController; ended: Promise<void> } | undefined;
	let connection: Connection | undefined;

	const keepConnected = async (events: ConsoleEvents, signal: AbortSignal) => {
		for (let attempt = 0; !signal.aborted; attempt++) {
			const closed = Promise.withResolvers<string>();
			try {
				const output = (bytes: Uint8Array) => {
					if (!signal.aborted) events.output(bytes);
				};
				connection = await connect({ output, closed: closed.resolve });
				attempt = 0;
				events.connected();
				const reason = await until(closed, signal);
				if (!signal.aborted) events.lost(reason);
			} catch (error) {
				if (attempt === 0 && !signal.aborted) events.lost(messageOf(error));
			} finally {
				await connection?.close().catch(() => {});
				connection = undefined;
			}
			await wait(backoff(attempt, reconnection), signal).catch(() => {});
		}
	};

	const connected = async () => {
		const end = performance.now() + longestWait;
		while (connection === undefined && running && performance.now() < end) await wait(20);
		if (connection === undefined) throw new Error(`${address} is not connected`);
		return connection;
	};

	return {
		address,
		hasLines,
		open(events) {
			const controller = new AbortController();
			running = { controller, ended: keepConnected(events, controller.signal) };
		},
		async connected() {
			await connected();
		},
		async write(bytes) {
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			const stuck = () => reject(new Error(`${address} does not accept input`));
			const connection = await connected();
			const timer = setTimeout(stuck, longestWrite);
			connection.write(bytes).then(resolve, reject);
			await promise.finally(() => clearTimeout(timer));
		},
		async setLines(lines) {
			await (await connected()).setLines?.(lines);
		},
		async close() {
			running?.controller.abort();
			await running?.ended;
			running = undefined;
		},
		async check() {
			const opened = await connect({ output: () => {}, closed: () => {} });
			await opened.close();
			return `${address} opens`;
		},
	};
}

/** Waits until the connection is closed or the console is. */
async function until(closed: PromiseWithResolvers<string>, signal: AbortSignal): Promise<string> {
	const close = () => closed.resolve('closed');
	if (signal.aborted) close();
	signal.addEventListener('abort', close, { once: true });
	return closed.promise.finally(() => signal.removeEventListener('abort', close));
}
