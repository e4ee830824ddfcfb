// A serial port in memory for the servers of tools.
import type { SerialLine, SerialSettings } from 'board-access';
import * as contract from '../../src/contract/channel/line.ts';
import { camelCased } from '../../src/contract/names.ts';
import type { RemoteSerial } from '../../src/forward/tool-connection.ts';

/** That of a board which a tool resets by opening its port. */
export const usualLine: SerialLine = { ...camelCased(contract.usualLine), resets: true };

export type FakeSerial = ReturnType<typeof createSerial>;

/** `take` gets what the tool writes; by default it comes back. */
export function createSerial(take?: (bytes: Uint8Array) => Promise<void> | void) {
	const output = new TransformStream<Uint8Array, Uint8Array>();
	const writer = output.writable.getWriter();
	writer.closed.catch(() => {}); // a closed port
	const closed = Promise.withResolvers<Error | undefined>();
	const listeners = new Set<(line: SerialLine) => void>();
	const input: number[] = [];
	const changes: SerialSettings[] = [];
	const refused = new Set<string>();
	const send = (bytes: Uint8Array) => writer.write(bytes);
	const echo = (bytes: Uint8Array) => {
		input.push(...bytes);
		return send(bytes);
	};
	let line = usualLine;
	let closes = 0;
	const end = (reason?: string) => {
		closed.resolve(reason === undefined ? undefined : new Error(reason));
		writer.close().catch(() => {}); // it is closed already
	};
	const remote: RemoteSerial = {
		readable: output.readable,
		writable: new WritableStream({ write: take ?? echo }),
		get line() {
			return line;
		},
		async set(change) {
			changes.push(change);
			if (Object.keys(change).some((name) => refused.has(name))) throw new Error('refused');
			const { purge: _, ...settings } = change;
			line = { ...line, ...settings };
			return line;
		},
		onLine(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		closed: closed.promise,
		async close() {
			closes++;
			end();
		},
	};
	return {
		remote,
		input,
		changes,
		/** Settings that the port refuses. */
		refused,
		send,
		end,
		/** The board changes its lines. */
		change(lines: Partial<SerialLine>) {
			line = { ...line, ...lines };
			for (const listener of listeners) listener(line);
		},
		get isClosed() {
			return closes > 0;
		},
		get hasListener() {
			return listeners.size > 0;
		},
	};
}
