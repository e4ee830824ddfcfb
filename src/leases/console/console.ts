// The console of a lease as callers use it.

import { joinBytes } from '../../contract/channel/bytes.ts';
import { keepCallers } from '../../errors/caller.ts';
import { callback, flag, type OwnRules, wholeNumber } from '../../settings/option-rules.ts';
import { LeaseEndedError } from '../errors.ts';
import { joinLimits } from '../helpers.ts';
import type { TrackedLease } from '../tracked-lease.ts';
import type { Expectations } from './expectations.ts';
import { type ConsoleFeed, type ReceivedChunk, receivedAt } from './feed.ts';
import type {
	ConsoleOptions,
	ConsoleText,
	ExpectOptions,
	LeaseConsole,
	WriteOptions,
} from './types.ts';
import { ConsoleWriter } from './writer.ts';

/** The limit of the service. */
const maxOffset = 999_999_999_999;

type TextOptions = ConsoleOptions & { withOffsets?: boolean | undefined };

export class BoardConsole implements LeaseConsole {
	readonly #feed: ConsoleFeed;
	readonly #writer: ConsoleWriter;
	readonly #expectations: Expectations;

	constructor(lease: TrackedLease, feed: ConsoleFeed, expectations: Expectations) {
		this.#feed = feed;
		this.#writer = new ConsoleWriter(lease);
		this.#expectations = expectations;
	}

	get actionOffset() {
		return this.#expectations.earliest;
	}

	[Symbol.asyncIterator]() {
		return onlyText(this.#texts({}));
	}

	text(options: TextOptions & { withOffsets: true }): AsyncGenerator<ConsoleText, void, undefined>;
	text(
		options?: TextOptions & { withOffsets?: false | undefined },
	): AsyncGenerator<string, void, undefined>;
	text(options: TextOptions = {}) {
		const texts = this.#texts(options);
		return options?.withOffsets ? texts : onlyText(texts);
	}

	#texts(options: TextOptions) {
		return cutTexts(this.#chunks(options, { withOffsets: flag }), findText);
	}

	lines(options: ConsoleOptions = {}) {
		return cutTexts(this.#chunks(options), findLine);
	}

	async *read(options: ConsoleOptions = {}) {
		for await (const { bytes } of this.#chunks(options)) yield bytes;
	}

	async *#chunks(options: ConsoleOptions, own: OwnRules<TextOptions> = {}) {
		const { signal, end } = joinLimits(options, {
			from: wholeNumber(0, maxOffset),
			onConnection: callback,
			...own,
		});
		try {
			yield* this.#feed.read({ ...options, signal });
		} finally {
			end();
		}
	}

	async write(data: string | Uint8Array, options: WriteOptions = {}) {
		const { signal, end } = joinLimits(options);
		await this.#writer.write(data, { ...options, signal }).finally(end);
	}

	async expect(pattern: string | RegExp, options?: ExpectOptions) {
		return await this.#expectations.expect(pattern, options);
	}

	async expectLine(pattern: string | RegExp, options?: ExpectOptions) {
		return await this.#expectations.expect(pattern, options, { lines: true });
	}
}

keepCallers(BoardConsole.prototype);

async function* onlyText(texts: AsyncIterable<ConsoleText>) {
	for await (const { text } of texts) yield text;
}

/** In bytes. A longer line comes in parts. */
const maxLine = 64 * 1024;

const [newline, carriageReturn] = [10, 13];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The length of the next text in bytes, and where the one after it begins. */
type Cut = readonly [length: number, next: number];

/** Undefined if more bytes are needed. */
type FindCut = (bytes: Uint8Array, isLast: boolean) => Cut | undefined;

export async function* cutTexts(chunks: AsyncIterable<ReceivedChunk>, findCut: FindCut) {
	// The beginning of the next text, its offset, and when it was received.
	let rest = new Uint8Array();
	let [start, at] = [0, new Date()];

	/** The texts up to the end of a chunk, or of the console. */
	function* cut(chunk?: ReceivedChunk): Generator<ConsoleText> {
		while (rest.length > 0) {
			const found = findCut(rest, !chunk);
			if (!found) return;
			const [length, next] = found;
			const text = decoder.decode(rest.subarray(0, length));
			const first = { text, offset: start, receivedAt: at };
			start += next;
			rest = rest.subarray(next);
			if (chunk) at = receivedAt(chunk, start);
			yield { ...first, nextOffset: start };
		}
	}

	try {
		for await (const chunk of chunks) {
			const offset = chunk.next - chunk.bytes.length;
			// Bytes are missing, so the text ends.
			if (offset !== start + rest.length) yield* cut();
			if (rest.length === 0) [start, at] = [offset, receivedAt(chunk, offset)];
			rest = joinBytes([rest, chunk.bytes]);
			yield* cut(chunk);
		}
	} catch (error) {
		if (error instanceof LeaseEndedError) yield* cut();
		throw error;
	}
	yield* cut();
}

export function findText(bytes: Uint8Array, isLast: boolean): Cut | undefined {
	const length = isLast ? bytes.length : completeLength(bytes);
	return length > 0 ? [length, length] : undefined;
}

function findLine(bytes: Uint8Array, isLast: boolean): Cut | undefined {
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
