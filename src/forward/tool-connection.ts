// One tool on its serial port: carries bytes and settings both ways until one side ends.
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { SerialChannel, SerialLine, SerialSettings } from 'board-access';
import type { Step } from './rfc2217.ts';

/** What the servers for tools use of a channel. That of a debugger has no line. */
export interface RemoteSerial
	extends Pick<SerialChannel, 'readable' | 'writable' | 'close'>,
		Partial<Pick<SerialChannel, 'line' | 'set' | 'onLine'>> {
	/** Resolves when the port is closed: with the reason, unless it was closed here. */
	readonly closed: Promise<Error | undefined>;
}

/** What the bytes between a tool and its server mean. */
export interface Protocol {
	receive(bytes: Uint8Array): Step[];
	encode(bytes: Uint8Array): Uint8Array;
	/** Bytes for the tool about its modem lines. */
	notice?(line: SerialLine): Uint8Array | undefined;
}

export const plainBytes: Protocol = {
	receive: (bytes) => [{ type: 'data', bytes }],
	encode: (bytes) => bytes,
};

/** A tool reads the end when its port is gone, and soon its writes fail. In milliseconds. */
const goodbyeTime = 200;

/** How long the board may take the last bytes of a tool that has left, as on Linux. In milliseconds. */
const maxFlush = 30_000;

export class ToolConnection {
	readonly #socket: Socket;
	readonly #remote: RemoteSerial;
	readonly #protocol: Protocol;
	readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
	/** Pending while the tool wants no output. */
	#flow = Promise.withResolvers<void>();

	constructor(socket: Socket, remote: RemoteSerial, protocol: Protocol) {
		this.#socket = socket;
		this.#remote = remote;
		this.#protocol = protocol;
		this.#writer = remote.writable.getWriter();
		this.#writer.closed.catch(() => {}); // its writes say so
		this.#flow.resolve();
	}

	/** Resolves once both sides are closed: with a reason if the serial port ended first. */
	async run(signal: AbortSignal): Promise<Error | undefined> {
		const removeListener = this.#remote.onLine?.(() => this.#notify());
		this.#socket.on('drain', () => this.#notify());
		const output = this.#sendOutput().catch(() => {}); // the port is closed, and says why
		try {
			const lost = this.#remote.closed.then((reason = new Error('the port was closed')) => reason);
			const reason = await Promise.race([this.#takeInput(), lost]);
			await (reason === undefined ? this.#flush(signal) : this.#sayGoodbye(output));
			return reason;
		} finally {
			this.#socket.destroy();
			this.#flow.resolve();
			removeListener?.();
			await this.#remote.close();
		}
	}

	/** Resolves once the tool has left, or with the reason why the port takes no more. */
	async #takeInput(): Promise<Error | undefined> {
		try {
			let isFirst = true;
			for await (const bytes of this.#socket.iterator({ destroyOnReturn: false })) {
				// A page in a browser can reach the ports of this machine.
				if (isFirst && isHttp(bytes)) return undefined;
				isFirst = false;
				for (const step of this.#protocol.receive(bytes)) await this.#carryOut(step);
			}
			return undefined;
		} catch (error) {
			return this.#socket.destroyed ? undefined : (error as Error); // nothing else is thrown
		}
	}

	async #carryOut(step: Step) {
		if (step.type === 'data') await this.#writer.write(step.bytes);
		else if (step.type === 'flow') this.#setFlow(step.isSuspended);
		else if (this.#remote.line) {
			const change = differences(step.change, this.#remote.line);
			const isNews = Object.keys(change).length > 0;
			// The reply says what is set now, so a tool sees what was refused.
			if (isNews) await this.#remote.set?.(change).catch(() => {});
			await this.#send(step.reply(this.#remote.line));
		}
	}

	#setFlow(isSuspended: boolean) {
		this.#flow.resolve();
		if (isSuspended) this.#flow = Promise.withResolvers();
	}

	async #sendOutput() {
		for await (const bytes of this.#remote.readable) {
			await this.#flow.promise;
			await this.#send(this.#protocol.encode(bytes));
			if (this.#socket.destroyed) return;
		}
	}

	/** Resolves once the system has the bytes, or the tool has left. */
	#send(bytes: Uint8Array) {
		return new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()));
	}

	/** A tool that does not read gets the latest state later, so that nothing piles up. */
	#notify() {
		if (this.#socket.writableNeedDrain || this.#socket.destroyed) return;
		const { line } = this.#remote;
		const bytes = line && this.#protocol.notice?.(line);
		if (bytes) this.#socket.write(bytes);
	}

	async #flush(signal: AbortSignal) {
		const limit = wait(maxFlush, undefined, { ref: false, signal });
		await Promise.race([this.#writer.close(), this.#remote.closed, limit]).catch(() => {});
	}

	async #sayGoodbye(output: Promise<void>) {
		await Promise.race([output, wait(goodbyeTime)]);
		this.#socket.end();
		await wait(goodbyeTime);
	}
}

function isHttp(bytes: Uint8Array) {
	return /^[A-Z]{3,8} \/\S* HTTP\//.test(Buffer.from(bytes.subarray(0, 2048)).toString('latin1'));
}

/** A tool sends all settings with each change. */
function differences(change: SerialSettings, line: SerialLine): SerialSettings {
	const present: SerialSettings = line;
	const names = Object.keys(change) as (keyof SerialSettings)[]; // it has no others
	return Object.fromEntries(
		names.filter((name) => change[name] !== present[name]).map((name) => [name, change[name]]),
	);
}
