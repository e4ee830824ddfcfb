// One connection of a channel to the service: a WebSocket or, where a network blocks these, requests.
import { joinBytes } from './bytes.ts';
import {
	createFrameReader,
	decodeFrame,
	encodeFrame,
	encodeWithLength,
	endingIn,
	type Frame,
	frameOf,
} from './frames.ts';

export interface Link {
	send(frame: Frame): void;
	close(): void;
}

export interface LinkEvents {
	/** Called once, before the first frame. */
	opened(link: Link): void;
	frame(frame: Frame): void;
	/** The connection is gone; may be called again. */
	closed(): void;
}

export interface Place {
	/** The address of the channel, with the scheme http or https. */
	readonly url: string;
	readonly ticket: string;
}

/** What is used of a `fetch`: the types of browsers, of Node.js and of the client's setting differ in the rest. */
export type LinkFetch = (
	url: string,
	init: {
		method: string;
		headers: Record<string, string>;
		body?: Uint8Array<ArrayBuffer>;
		signal: AbortSignal;
		redirect: 'manual';
		credentials: 'omit';
	},
) => Promise<{ status: number; body?: unknown; text(): Promise<string> }>;

/** What is used of a `WebSocket`. */
interface WebSocketLike {
	binaryType: string;
	readonly readyState: number;
	send(data: Uint8Array<ArrayBuffer>): void;
	close(): void;
	addEventListener(
		type: 'open' | 'message' | 'close',
		listener: (event: { readonly data?: unknown }) => void,
	): void;
}

export type LinkSocket = new (url: string) => WebSocketLike;

/** The service was reached, and says why it does not accept the connection. */
export class RejectedError extends Error {
	override readonly name = 'RejectedError';
}

/** How long the service may take to accept a connection, in milliseconds. */
const maxOpening = 5_000;

/** How long a request with frames may take, in milliseconds. */
const maxSending = 15_000;

/** The state of a WebSocket that is open. */
const isOpen = 1;

/** How many bytes of frames one request carries. */
const maxBatch = 128 * 1024;

/** Opens a WebSocket. Rejects if it is not accepted in time. */
export function openSocket(
	Socket: LinkSocket,
	{ url, ticket }: Place,
	events: LinkEvents,
): Promise<void> {
	const first = frameOf('open', 0, new TextEncoder().encode(ticket));
	const socket = new Socket(url.replace(/^http/, 'ws'));
	socket.binaryType = 'arraybuffer';
	return new Promise((resolve, reject) => {
		const fail = (error: Error) => {
			clearTimeout(timer);
			socket.close();
			reject(error);
		};
		const late = () => fail(new Error('The WebSocket was not accepted in time'));
		const timer = setTimeout(late, maxOpening);
		let isAccepted = false;
		socket.addEventListener('open', () => socket.send(encodeFrame(first)));
		socket.addEventListener('close', () =>
			isAccepted ? events.closed() : fail(new Error('The WebSocket was rejected')),
		);
		socket.addEventListener('message', ({ data }) => {
			const frame = data instanceof ArrayBuffer ? decodeFrame(new Uint8Array(data)) : undefined;
			if (frame === undefined) return socket.close();
			if (isAccepted) return events.frame(frame);
			if (frame.type === 'end') return fail(new RejectedError(endingIn(frame).message));
			clearTimeout(timer);
			isAccepted = true;
			events.opened({
				send(next) {
					if (socket.readyState === isOpen) socket.send(encodeFrame(next));
				},
				// A peer that is gone never completes the closing handshake.
				close() {
					socket.close();
					events.closed();
				},
			});
			resolve();
		});
	});
}

/** Opens a response that streams the frames to here; requests carry those from here, one at a time. */
export async function openRequests(
	fetch: LinkFetch,
	{ url, ticket }: Place,
	events: LinkEvents,
): Promise<void> {
	const end = new AbortController();
	const request = (method: string, body?: Uint8Array<ArrayBuffer>) =>
		fetch(url, {
			method,
			headers: {
				authorization: `Ticket ${ticket}`,
				...(body && { 'content-type': 'application/octet-stream' }),
			},
			...(body && { body }),
			signal: body ? AbortSignal.any([end.signal, AbortSignal.timeout(maxSending)]) : end.signal,
			redirect: 'manual',
			credentials: 'omit',
		});
	const timer = setTimeout(() => end.abort(new Error('No response in time')), maxOpening);
	const response = await request('GET').finally(() => clearTimeout(timer));
	const body = response.body as ReadableStream<Uint8Array> | null | undefined;
	if (response.status !== 200 || !body) {
		throw new Error(`The service responded with status ${response.status}`);
	}
	let isClosed = false;
	const close = () => {
		if (isClosed) return;
		isClosed = true;
		end.abort(new Error('The connection was closed'));
		events.closed();
	};
	const send = createSender(async (bytes) => {
		const { status } = await request('POST', bytes);
		if (status !== 204) throw new Error(`The service responded with status ${status}`);
	});
	let sending = Promise.resolve();
	events.opened({
		send(frame) {
			sending = send(frame).catch(close);
		},
		// What was sent before goes out first.
		close: () => void sending.then(close),
	});
	readFrames(body, events).then(close, close);
}

async function readFrames(body: ReadableStream<Uint8Array>, events: LinkEvents) {
	const read = createFrameReader();
	const reader = body.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		for (const frame of read(value)) if (frame.type !== 'open') events.frame(frame);
	}
}

/** Returns a function that sends frames in order: what is given while a request is under way goes with the next. */
function createSender(send: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>) {
	const waiting: Uint8Array[] = [];
	let sending: Promise<void> | undefined;
	const run = async () => {
		// Frames of the same moment go together.
		await Promise.resolve();
		while (waiting.length > 0) await send(nextBatch());
		sending = undefined;
	};
	const nextBatch = () => {
		let [count, size] = [0, 0];
		for (; count < waiting.length && size < maxBatch; count++) size += waiting[count]?.length ?? 0;
		return joinBytes(waiting.splice(0, count));
	};
	return (frame: Frame) => {
		waiting.push(encodeWithLength(frame));
		sending ??= run();
		return sending;
	};
}
