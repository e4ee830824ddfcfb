// The frames of a channel: a type, an offset and a payload. A WebSocket carries one in each message; where requests
// carry them, each has its length before it.
import { joinBytes } from './bytes.ts';

/** In the order of their numbers on the wire, from 1 on. */
const types = [
	/** The ticket, as the first frame of a connection; the service sends one back once it has accepted it. */
	'open',
	/** Bytes from an offset on. */
	'data',
	/** A message as JSON in the place of bytes, so that it keeps its order among them. */
	'control',
	/** Up to which offset the other end has taken what was sent. */
	'ack',
	/** Both ends are connected, for the first time or again. Sent by the service. */
	'attached',
	/** The answer to `attached`: from which offset on the other end has to send. */
	'resume',
	/** Shows that the connection is alive. */
	'ping',
	/** The channel is over, and why, as JSON. */
	'end',
] as const;

export interface Frame {
	readonly type: (typeof types)[number];
	readonly offset: number;
	readonly payload: Uint8Array;
}

/** How many bytes an end may have sent that the other one has not taken. */
export const channelWindow = 256 * 1024;

/** The longest payload. */
export const maxPayload = 16 * 1024;

const headSize = 7;

/** The longest frame, without its length. */
export const maxFrame = headSize + maxPayload;

const lengthSize = 4;
const empty = new Uint8Array();

export function frameOf(type: Frame['type'], offset = 0, payload: Uint8Array = empty): Frame {
	return { type, offset, payload };
}

/** A frame with a message as JSON. */
export function messageFrame(type: Frame['type'], message: unknown, offset = 0): Frame {
	return frameOf(type, offset, new TextEncoder().encode(JSON.stringify(message)));
}

export function encodeFrame({ type, offset, payload }: Frame): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(headSize + payload.length);
	const view = new DataView(bytes.buffer);
	view.setUint8(0, types.indexOf(type) + 1);
	view.setUint16(1, Math.floor(offset / 2 ** 32));
	view.setUint32(3, offset % 2 ** 32);
	bytes.set(payload, headSize);
	return bytes;
}

/** Undefined if it is not a frame. */
export function decodeFrame(bytes: Uint8Array): Frame | undefined {
	const type = types[(bytes[0] ?? 0) - 1];
	if (type === undefined || bytes.length < headSize) return undefined;
	if (bytes.length > maxFrame) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	const offset = view.getUint16(1) * 2 ** 32 + view.getUint32(3);
	return frameOf(type, offset, bytes.subarray(headSize));
}

export function encodeWithLength(frame: Frame): Uint8Array<ArrayBuffer> {
	const encoded = encodeFrame(frame);
	const length = new Uint8Array(lengthSize);
	new DataView(length.buffer).setUint32(0, encoded.length);
	return joinBytes([length, encoded]);
}

/** Returns a function that takes bytes as they arrive and returns the frames that are complete. It throws if one is invalid. */
export function createFrameReader() {
	let rest = new Uint8Array();
	return (bytes: Uint8Array): Frame[] => {
		const all = joinBytes([rest, bytes]);
		const view = new DataView(all.buffer);
		const frames: Frame[] = [];
		let at = 0;
		while (at + lengthSize <= all.length) {
			const length = view.getUint32(at);
			if (length > maxFrame) throw new Error('A frame is too long');
			const end = at + lengthSize + length;
			if (end > all.length) break;
			const frame = decodeFrame(all.subarray(at + lengthSize, end));
			if (!frame) throw new Error('A frame is invalid');
			frames.push(frame);
			at = end;
		}
		rest = all.slice(at);
		return frames;
	};
}

/** Why a channel is over, as its other end has it: text that is not ours. */
export function endingIn(frame: Frame): { code: string; message: string } {
	const { code, message } = Object(messageIn(frame));
	return {
		code: typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'closed',
		message: typeof message === 'string' ? message.slice(0, 500) : 'The channel has ended',
	};
}

/** What a frame says in JSON; undefined if it is not JSON. */
export function messageIn({ payload }: Frame): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(payload));
	} catch {
		return undefined;
	}
}
