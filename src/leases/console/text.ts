// The console as text and as lines, with their offsets.
import { joinBytes } from '../../records/join-bytes.ts';
import { LeaseEndedError } from '../errors.ts';
import { type ReceivedChunk, receivedAt } from './feed.ts';
import type { ConsoleText } from './types.ts';

/** In bytes. A longer line comes in parts. */
const maxLine = 64 * 1024;

const [newline, carriageReturn] = [10, 13];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The length of the next text in bytes, and where the one after it begins. */
type Cut = readonly [length: number, next: number];

/** Undefined if more bytes are needed. */
type FindCut = (bytes: Uint8Array, isLast: boolean) => Cut | undefined;

export async function* cutTexts(chunks: AsyncIterable<ReceivedChunk>, findCut: FindCut) {
	const cutter = new Cutter(findCut);
	try {
		for await (const chunk of chunks) yield* cutter.add(chunk);
	} catch (error) {
		if (error instanceof LeaseEndedError) yield* cutter.cut();
		throw error;
	}
	yield* cutter.cut();
}

class Cutter {
	readonly #findCut: FindCut;
	/** The beginning of the next text, its offset, and when it was received. */
	#rest = new Uint8Array();
	#start = 0;
	#receivedAt = new Date();

	constructor(findCut: FindCut) {
		this.#findCut = findCut;
	}

	*add(chunk: ReceivedChunk) {
		const start = chunk.next - chunk.bytes.length;
		// Bytes are missing, so the text ends.
		if (start !== this.#start + this.#rest.length) yield* this.cut();
		if (this.#rest.length === 0) {
			[this.#start, this.#receivedAt] = [start, receivedAt(chunk, start)];
		}
		this.#rest = joinBytes([this.#rest, chunk.bytes]);
		yield* this.cut(chunk);
	}

	/** The texts up to the end of a chunk, or of the console. */
	*cut(chunk?: ReceivedChunk): Generator<ConsoleText> {
		while (this.#rest.length > 0) {
			const cut = this.#findCut(this.#rest, !chunk);
			if (!cut) return;
			const [length, next] = cut;
			const text = decoder.decode(this.#rest.subarray(0, length));
			const first = { text, offset: this.#start, receivedAt: this.#receivedAt };
			this.#start += next;
			this.#rest = this.#rest.subarray(next);
			if (chunk) this.#receivedAt = receivedAt(chunk, this.#start);
			yield { ...first, nextOffset: this.#start };
		}
	}
}

export function findText(bytes: Uint8Array, isLast: boolean): Cut | undefined {
	const length = isLast ? bytes.length : completeLength(bytes);
	return length > 0 ? [length, length] : undefined;
}

export function findLine(bytes: Uint8Array, isLast: boolean): Cut | undefined {
	const end = bytes.findIndex((byte) => byte === newline || byte === carriageReturn);
	const length = end < 0 ? bytes.length : end;
	if (length > maxLine) return findText(bytes.subarray(0, maxLine), false);
	if (end < 0) return isLast ? [length, length] : undefined;
	if (bytes[end] === newline) return [length, end + 1];
	// A line feed may follow.
	if (end + 1 === bytes.length && !isLast) return undefined;
	return [length, bytes[end + 1] === newline ? end + 2 : end + 1];
}

/** The length without an incomplete character at the end. */
function completeLength(bytes: Uint8Array) {
	const start = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
	const lead = bytes[start] ?? 0;
	const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
	const isSplit = lead >= 0xc2 && lead <= 0xf4 && bytes.length - start < needed;
	return isSplit ? start : bytes.length;
}
