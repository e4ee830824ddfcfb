// A console that reconnects whenever its connection is lost.
import { addAbortListener } from 'node:events';
import { type LineSettings, type LineState, usualLine } from 'board-access-contract';
import type { ConsoleEvents, OpenPort } from '../drivers/hardware.ts';
import { messageOf } from '../errors.ts';
import { backoff, wait } from '../time.ts';
import { lineWith } from './line.ts';
import { addressOf, type PortPath, textOf } from './usb.ts';

/** The two control lines of a serial port; one that is undefined is left alone. */
export type ControlLines = Readonly<Pick<LineSettings, 'dtr' | 'rts'>>;

export interface Connection extends OpenPort {
	setLines?(lines: ControlLines): Promise<void>;
}

export interface ConnectionEvents {
	output(bytes: Uint8Array): void;
	/** The lines of the board have changed. */
	line?(state: LineState): void;
	/** Called once, also by `close`. */
	closed(reason: string): void;
}

/** Short, because the port of a board that restarts disappears, and the board prints as soon as it is back. */
const reconnection = { max: 500 };

/** How long input waits for the connection, in milliseconds. */
const maxWait = 3_000;

/** How long opening, writing and closing may take, in milliseconds. */
const maxStep = 5_000;

export type Connect = (events: ConnectionEvents) => Promise<Connection>;

export type BoardConsole = Pick<ReconnectingConsole, keyof ReconnectingConsole>;

export class ReconnectingConsole {
	readonly #port: PortPath;
	readonly #connect: Connect;
	#running: { controller: AbortController; ended: Promise<void> } | undefined;
	#connection: Connection | undefined;
	/** What the lease has set. */
	#settings: LineSettings = {};

	constructor(connect: Connect, port: PortPath) {
		this.#port = port;
		this.#connect = connect;
	}

	get address(): string {
		return addressOf(this.#port);
	}

	open(events: ConsoleEvents) {
		const controller = new AbortController();
		this.#running = { controller, ended: this.#keepConnected(events, controller.signal) };
	}

	async write(bytes: Uint8Array) {
		const connection = await this.connected();
		await inTime(connection.write(bytes), `${textOf(this.#port)} does not accept input`);
	}

	async setLines(lines: ControlLines) {
		const connection = await this.connected();
		await inTime(connection.setLines?.(lines), `${textOf(this.#port)} does not set its lines`);
	}

	/** A connection without settings accepts all, and they are only remembered. */
	async set(settings: LineSettings): Promise<LineState> {
		const connection = await this.connected();
		const message = `${textOf(this.#port)} does not take its settings`;
		const state = await inTime(connection.set?.(settings), message);
		const { purge: _, ...lasting } = settings;
		this.#settings = { ...this.#settings, ...lasting };
		return state ?? lineWith(usualLine, this.#settings);
	}

	/** The port has the settings of the configuration again when it is opened next. */
	forgetSettings() {
		this.#settings = {};
	}

	async close() {
		this.#running?.controller.abort();
		try {
			await this.#running?.ended;
		} finally {
			this.#running = undefined;
		}
	}

	async check() {
		const opened = await this.#connectInTime({ output: () => {}, closed: () => {} });
		await opened.close();
		return `${this.address} opens`;
	}

	async #keepConnected(events: ConsoleEvents, signal: AbortSignal) {
		for (let attempt = 0; !signal.aborted; attempt++) {
			const closed = Promise.withResolvers<string>();
			let isConnected = false;
			const connected = () => {
				if (isConnected) return;
				[isConnected, attempt] = [true, 0];
				if (!signal.aborted) events.connected();
			};
			try {
				const output = (bytes: Uint8Array) => {
					// A port can have output before it is set up.
					connected();
					if (!signal.aborted) events.output(bytes);
				};
				const line = (state: LineState) => {
					if (!signal.aborted) events.line?.(state);
				};
				const listeners = { output, closed: closed.resolve, ...(events.line && { line }) };
				this.#connection = await this.#connectInTime(listeners);
				connected();
				using _ = addAbortListener(signal, () => closed.resolve('closed'));
				const reason = await closed.promise;
				if (!signal.aborted) events.lost(reason);
			} catch (error) {
				if (attempt === 0 && !signal.aborted) events.lost(messageOf(error));
			} finally {
				const closing = this.#connection?.close().catch(() => {});
				this.#connection = undefined;
				await inTime(closing, `${textOf(this.#port)} does not close`).catch((error: unknown) => {
					if (signal.aborted) throw error;
				});
			}
			await wait(backoff(attempt, reconnection), signal).catch(() => {});
		}
	}

	#connectInTime(events: ConnectionEvents) {
		const connect: Connect = async (events) => {
			const connection = await this.#connect(events);
			if (Object.keys(this.#settings).length > 0) await connection.set?.(this.#settings);
			return connection;
		};
		return connectInTime(connect, events, textOf(this.#port));
	}

	async connected() {
		const end = performance.now() + maxWait;
		while (this.#connection === undefined && this.#running && performance.now() < end) {
			await wait(20);
		}
		if (this.#connection === undefined) throw new Error(`${textOf(this.#port)} is not connected`);
		return this.#connection;
	}
}

export async function connectInTime(connect: Connect, events: ConnectionEvents, address: string) {
	const connecting = connect(events);
	try {
		return await inTime(connecting, `${address} does not open`);
	} catch (error) {
		// An open port would make the next attempt fail.
		connecting.then((late) => late.close()).catch(() => {});
		throw error;
	}
}

/** Rejects with the error of a callback. */
export function calledBack(start: (done: (error?: Error | null) => void) => unknown) {
	return new Promise<void>((resolve, reject) => {
		start((error) => (error ? reject(error) : resolve()));
	});
}

async function inTime<Result>(step: Promise<Result> | Result, message: string): Promise<Result> {
	const { promise, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new Error(message)), maxStep);
	return Promise.race([step, promise]).finally(() => clearTimeout(timer));
}
