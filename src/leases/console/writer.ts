// Sends console input in order, and combines what is written while a request is pending.
import { joinBytes } from '../../contract/channel/bytes.ts';
import { gapOffset } from '../../contract/lease.ts';
import { ApiError, InputError } from '../../errors/errors.ts';
import { call } from '../../http/call.ts';
import { isTemporary, waitFor } from '../../http/outages.ts';
import { pause } from '../../http/signals.ts';
import type { RequestOptions } from '../../settings/settings.ts';
import { WriteError } from '../errors.ts';
import { mayBeDone, offsetIn, type Shared, uniqueKey } from '../helpers.ts';
import type { TrackedLease } from '../tracked-lease.ts';

/** After a burst of requests, one is sent in this time, because the service limits them. */
const burst = 100;
const paceMs = 25;

/** How many bytes the service takes in one request. */
const maxConsoleInput = 4 * 1024;

/** How long to retry while the service does not respond, or the board reads no input. */
const patienceMs = 15_000;

const attemptTimeout = 5_000;

/** How long an abort waits for a pending response. */
const abortMs = 1_000;

class PendingWrite {
	readonly bytes: Uint8Array;
	readonly signal: AbortSignal;
	readonly headers: RequestOptions['headers'];
	/** How many bytes the service has confirmed. */
	sent = 0;
	/** Whether more bytes may have been sent. */
	isUnderWay = false;
	readonly #settled = Promise.withResolvers<void>();

	constructor(data: string | Uint8Array, { signal, headers }: Shared) {
		// A copy, because the caller may change the bytes.
		this.bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data.slice();
		this.signal = signal;
		this.headers = headers;
	}

	get settled() {
		return this.#settled.promise;
	}

	get isOpen() {
		return this.sent < this.bytes.length && !this.signal.aborted;
	}

	confirm(bytes: number) {
		this.isUnderWay = false;
		this.sent += bytes;
		if (this.sent === this.bytes.length) this.#settled.resolve();
		else if (this.signal.aborted) this.fail(this.signal.reason);
	}

	fail(cause: unknown) {
		const { sent, bytes } = this;
		const isPartial = sent > 0 || this.isUnderWay;
		this.#settled.reject(isPartial ? new WriteError({ sent, total: bytes.length, cause }) : cause);
	}
}

interface InputChunk {
	bytes: Uint8Array<ArrayBuffer>;
	headers: RequestOptions['headers'];
}

export class ConsoleWriter {
	readonly #lease: TrackedLease;
	#pending: PendingWrite[] = [];
	#isSending = false;
	/** When the next request is due. */
	#due = 0;
	/** The end of the input; undefined if it has to be asked for. */
	#offset: number | undefined = 0;
	/** Whether the current chunk may have been written. */
	#mayBeSent = false;

	constructor(lease: TrackedLease) {
		this.#lease = lease;
	}

	async write(data: string | Uint8Array, shared: Shared) {
		// `instanceof` fails for bytes of another realm, as under Jest.
		if (
			typeof data !== 'string' &&
			Object.prototype.toString.call(data) !== '[object Uint8Array]'
		) {
			throw new InputError([{ path: 'data', message: 'must be text or a Uint8Array' }]);
		}
		const { signal } = shared;
		signal.throwIfAborted();
		if (this.#lease.over.aborted) throw this.#endedBefore();
		const write = new PendingWrite(data, shared);
		let timer: ReturnType<typeof setTimeout> | undefined;
		const stop = () => {
			const fail = () => write.fail(signal.reason);
			if (write.isUnderWay) timer = setTimeout(fail, abortMs);
			else fail();
		};
		signal.addEventListener('abort', stop, { once: true });
		this.#pending.push(write);
		void this.#send();
		try {
			await write.settled;
		} finally {
			clearTimeout(timer);
			signal.removeEventListener('abort', stop);
		}
	}

	async #send() {
		if (this.#isSending) return;
		this.#isSending = true;
		await Promise.resolve(); // also sends what is written at the same moment
		while (this.#pending.length > 0) {
			const time = performance.now();
			this.#due = Math.max(this.#due, time - burst * paceMs) + paceMs;
			// A long text does not wait.
			const pause = this.#pending[0]?.sent ? 0 : this.#due - time;
			if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
			await this.#sendChunk();
		}
		this.#isSending = false;
	}

	async #sendChunk() {
		const parts = partsOf(this.#pending);
		for (const { write } of parts) write.isUnderWay = true;
		const isWanted = () => parts.some(({ write }) => !write.signal.aborted);
		try {
			const bytes = joinBytes(parts.map(({ bytes }) => bytes));
			await this.#post({ bytes, headers: parts[0]?.write.headers }, isWanted);
			for (const { write, bytes } of parts) write.confirm(bytes.length);
		} catch (error) {
			for (const { write } of parts) write.isUnderWay = this.#mayBeSent;
			const reason = await this.#lease.explain(error);
			// Nothing may follow a text that failed.
			for (const write of isWanted() ? this.#pending : parts.map((part) => part.write)) {
				const isLate = this.#lease.over.aborted && !write.isUnderWay;
				const why = isLate ? this.#endedBefore() : reason;
				write.fail(write.signal.aborted ? write.signal.reason : why);
			}
			if (isWanted()) this.#pending = [];
		}
		this.#pending = this.#pending.filter(({ isOpen }) => isOpen);
	}

	#endedBefore() {
		return Object.assign(this.#lease.endedError(), { outcome: 'not-sent' });
	}

	/** Retries until the service has the bytes. Their `piece` keeps them from being written twice. */
	async #post(chunk: InputChunk, isWanted: () => boolean) {
		this.#mayBeSent = false;
		if (chunk.bytes.length === 0) return;
		const until = performance.now() + patienceMs;
		const piece = uniqueKey();
		for (let failures = 0; ; failures++) {
			try {
				// Without bytes, the service responds with the end of the input.
				this.#offset ??= await this.#attempt({ ...chunk, bytes: new Uint8Array() });
				this.#offset = await this.#attempt(chunk, piece);
				return;
			} catch (error) {
				const isGap = error instanceof ApiError && error.code === 'console_gap';
				const end = isGap ? gapOffset(error) : undefined;
				// Others have written there, so this was not written.
				this.#mayBeSent = end === undefined && (this.#mayBeSent || mayBeDone(error));
				const isUnknown = isGap && this.#mayBeSent;
				if (isUnknown || !canRepeat(error) || performance.now() >= until) throw error;
				if (isGap) this.#offset = end;
				// Only another writer makes the service name another end again and again.
				if (isWanted() && !(isGap && failures === 0))
					await pause(waitFor(error, failures), this.#lease.over);
				if (!isWanted()) throw error;
			}
		}
	}

	async #attempt({ bytes: body, headers }: InputChunk, piece?: string) {
		return await call(this.#lease.send, 'POST /v1/leases/{id}/console', {
			ids: this.#lease.ids,
			query: { offset: this.#offset, piece },
			body,
			options: { signal: this.#lease.over, headers, timeout: attemptTimeout, maxRetries: 0 },
			read: (_body, _where, { headers }) => offsetIn(headers),
		});
	}
}

function partsOf(pending: readonly PendingWrite[]) {
	let room = maxConsoleInput;
	const parts: { write: PendingWrite; bytes: Uint8Array }[] = [];
	const open = pending.filter(({ signal }) => !signal.aborted);
	for (const write of open) {
		// Writes with other headers are sent in a request of their own.
		if (room === 0 || write.headers !== open[0]?.headers) break;
		const bytes = write.bytes.subarray(write.sent, write.sent + room);
		room -= bytes.length;
		parts.push({ write, bytes });
	}
	return parts;
}

function canRepeat(error: unknown) {
	return (
		isTemporary(error) ||
		(error instanceof ApiError && /^console_(gap|input_full)$/.test(error.code))
	);
}
