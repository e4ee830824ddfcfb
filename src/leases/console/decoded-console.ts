// Console output as text, with the offsets of its bytes.
import { joinBytes } from '../../contract/channel/bytes.ts';
import { type ReceivedChunk, receivedAt } from './feed.ts';

/** How many bytes are searched. More are kept, so that not every chunk moves the rest. */
const maxBytes = 1024 * 1024;
const tolerance = 256 * 1024;

/** Takes the place of missing bytes, so that nothing matches across the gap. */
const lineBreak = Uint8Array.of(13, 10);

export class DecodedConsole {
	/** What was read and not consumed, without an incomplete character at the end. */
	text = '';
	/** Where in the text bytes are missing. */
	gaps: number[] = [];
	/** The offset before which bytes were missing; negative if none were. */
	missingUntil = -1;
	/** The offset of the byte that is read next. */
	next = 0;
	#chunks: ReceivedChunk[] = [];
	#decoder = streamDecoder();

	/** The offset of the first byte that was not consumed. */
	get start() {
		const [first] = this.#chunks;
		return first ? first.next - first.bytes.length : this.next;
	}

	/** When that byte was received, or now. */
	get receivedAt() {
		const [first] = this.#chunks;
		return first ? receivedAt(first, this.start) : new Date();
	}

	append(chunk: ReceivedChunk) {
		const { bytes, next } = chunk;
		const start = next - bytes.length;
		if (start !== this.next) {
			this.missingUntil = start;
			if (this.#chunks.length > 0) this.#push({ ...chunk, bytes: lineBreak, next: start });
			this.gaps.push(Math.max(0, this.text.length - lineBreak.length), this.text.length);
		}
		this.#push(chunk);
		if (next - this.start <= maxBytes + tolerance) return;
		this.dropBefore(next - maxBytes);
		this.gaps.push(0);
	}

	consume(characters: number) {
		// A match can end within a surrogate pair.
		const isWithin = /^[\ud800-\udbff][\udc00-\udfff]/.test(this.text.slice(characters - 1));
		const end = characters > 0 && isWithin ? characters + 1 : characters;
		const all = joinBytes(this.#chunks.map(({ bytes }) => bytes));
		this.#drop(byteLength(all, end));
		this.text = this.text.slice(end);
		this.gaps = this.gaps.map((gap) => gap - end).filter((gap) => gap >= 0);
	}

	dropBefore(offset: number) {
		if (this.start >= offset) return;
		this.next = Math.max(this.next, offset);
		this.#chunks = this.#chunks.filter(({ next }) => next > offset);
		this.#drop(Math.max(0, offset - this.start));
		this.#decoder = streamDecoder();
		const all = joinBytes(this.#chunks.map(({ bytes }) => bytes));
		const { length } = this.text;
		this.text = this.#decoder.decode(all, { stream: true });
		const removed = length - this.text.length;
		this.gaps = this.gaps.map((gap) => gap - removed).filter((gap) => gap > 0);
	}

	#push(chunk: ReceivedChunk) {
		this.#chunks.push(chunk);
		this.next = chunk.next;
		this.text += this.#decoder.decode(chunk.bytes, { stream: true });
	}

	#drop(count: number) {
		let left = count;
		for (let [first] = this.#chunks; first && left > 0; [first] = this.#chunks) {
			this.#chunks.shift();
			const rest = first.bytes.subarray(left);
			left -= first.bytes.length - rest.length;
			if (rest.length > 0) this.#chunks.unshift({ ...first, bytes: rest });
		}
	}
}

/** Keeps a byte order mark, so that characters and bytes agree. */
function streamDecoder() {
	return new TextDecoder('utf-8', { ignoreBOM: true });
}

/** How many bytes the first characters take, by binary search. */
function byteLength(bytes: Uint8Array, characters: number) {
	const decoder = streamDecoder();
	let [low, high] = [0, bytes.length];
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (decoder.decode(bytes.subarray(0, middle)).length <= characters) low = middle;
		else high = middle - 1;
	}
	return low;
}
