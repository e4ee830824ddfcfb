// A channel to a port of the board of a lease.
import * as z from 'zod/mini';
import { Channel, type ChannelEnding } from '../contract/channel/channel.ts';
import { channelWindow } from '../contract/channel/frames.ts';
import type { channelKinds } from '../contract/channel/input.ts';
import { camelCased } from '../contract/names.ts';
import { BoardAccessError } from '../errors/base.ts';
import { InputError } from '../errors/errors.ts';
import { isApiError } from '../errors/guards.ts';
import { call } from '../http/call.ts';
import { isTemporary } from '../http/outages.ts';
import { abortable } from '../http/signals.ts';
import { isObject, recordReader, snakeCased } from '../records/records.ts';
import { addressOf } from '../settings/base-url.ts';
import { ofType, readCallOptions } from '../settings/option-rules.ts';
import type { ChannelOptions, SerialChannel, SerialLine, SerialSettings } from './channel-types.ts';
import { ChannelError } from './errors.ts';
import type { TrackedLease } from './tracked-lease.ts';

type Kind = (typeof channelKinds)[number];

const readTicket = recordReader({ id: z.string(), ticket: z.string() }, { complete: true });

/** The channel itself tries again. */
const again = { timeout: 5_000, maxRetries: 0 };

/** Resolves when both ends are connected. */
export async function openChannel(
	lease: TrackedLease,
	kind: Kind,
	given: ChannelOptions = {},
): Promise<SerialChannel> {
	if (kind !== 'serial' && kind !== 'debug') {
		throw new InputError([{ path: 'kind', message: 'must be serial or debug' }]);
	}
	const { port, ...options } = readCallOptions(given, { port: ofType('string') });
	const { signal } = options;
	signal?.throwIfAborted();
	let id: string | undefined;
	const place = async () => {
		const opened = await call(lease.send, 'POST /v1/leases/{id}/channels', {
			ids: lease.ids,
			json: { kind, port, channel_id: id },
			// Later connections outlive the signal of the first.
			options: id === undefined ? options : { headers: options.headers, ...again },
			read: readTicket,
		});
		id = opened.id;
		const url = addressOf(lease.settings.baseUrl, `/v1/channels/${id}`);
		return { url, ticket: opened.ticket };
	};
	const channel = new OpenChannel(lease, place);
	try {
		await abortable(channel.attached, signal);
		if (kind === 'serial') await abortable(channel.set({}), signal);
		return channel;
	} catch (error) {
		channel.abandon();
		signal?.throwIfAborted();
		throw await lease.explain((await channel.closed) ?? error, signal);
	}
}

class OpenChannel implements SerialChannel {
	readonly readable: ReadableStream<Uint8Array>;
	readonly writable: WritableStream<Uint8Array>;
	readonly closed: Promise<Awaited<SerialChannel['closed']>>;
	readonly attached: Promise<void>;
	readonly #channel: Channel;
	/** Known once a serial port is open. */
	#line = {} as SerialLine;
	readonly #listeners = new Set<(line: SerialLine) => void>();
	/** Those who wait for what the port has after a change. */
	readonly #settling: PromiseWithResolvers<SerialLine>[] = [];

	constructor(lease: TrackedLease, place: ConstructorParameters<typeof Channel>[0]['place']) {
		const { fetch = globalThis.fetch, webSocket } = lease.settings;
		// Messages come in order with the bytes, so that unread bytes must not hold them up.
		const unread = new ByteLengthQueuingStrategy({ highWaterMark: channelWindow });
		const output = new TransformStream<Uint8Array, Uint8Array>({}, {}, unread);
		const writer = output.writable.getWriter();
		const ignore = () => {}; // its reader has left
		this.#channel = new Channel({
			place,
			isFinal: (error) => error instanceof BoardAccessError && !isTemporary(error),
			fetch,
			WebSocket: webSocket,
			onData: (bytes) => writer.write(bytes.slice()).catch(ignore),
			onMessage: (message) => this.#takeLine(message),
		});
		this.attached = this.#channel.attached;
		this.readable = output.readable;
		this.writable = new WritableStream({
			write: (bytes) => this.#channel.write(bytes),
			close: () => this.close(),
			abort: () => this.abandon(),
		});
		this.closed = this.#channel.closed.then(async (ending) => {
			const error = await errorOf(ending, lease);
			(error ? writer.abort(error) : writer.close()).catch(ignore);
			for (const { reject } of this.#settling.splice(0)) reject(error ?? closedHere);
			return error;
		});
	}

	get transport() {
		return this.#channel.way;
	}

	get line() {
		return this.#line;
	}

	async set(settings: SerialSettings) {
		const settled = Promise.withResolvers<SerialLine>();
		this.#settling.push(settled);
		settled.promise.catch(() => {}); // what follows rejects, too
		await this.#channel.sendMessage(snakeCased(settings));
		return await settled.promise;
	}

	onLine(listener: (line: SerialLine) => void) {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}

	async close() {
		await this.#channel.close();
		await this.closed;
	}

	abandon() {
		this.#channel.end({ code: 'closed', message: 'The channel was closed' });
	}

	async [Symbol.asyncDispose]() {
		await this.close();
	}

	#takeLine(message: unknown) {
		if (!isObject(message)) return;
		const { answer, ...line } = message;
		this.#line = camelCased(line) as unknown as SerialLine; // as the agent reads it from the port
		if (answer) this.#settling.shift()?.resolve(this.#line);
		for (const listener of this.#listeners) listener(this.#line);
	}
}

const closedHere = new Error('The channel was closed');

/** Undefined for a channel that was closed here. */
async function errorOf({ code, message, cause }: ChannelEnding, lease: TrackedLease) {
	if (code === 'closed') return undefined;
	await lease.refresh(again).catch(() => {}); // it may have ended
	if (lease.over.aborted) return lease.endedError();
	if (isApiError(cause, 'channel_not_found')) {
		return new ChannelError('The connection was lost for too long', 'connection_lost', cause);
	}
	if (cause instanceof BoardAccessError) return cause;
	return new ChannelError(message, code, cause);
}
