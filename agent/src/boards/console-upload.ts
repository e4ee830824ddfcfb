// Sends the console output of a lease to the service: one request at a time, by offset.
import { type ConsoleChunk, type ConsoleState, repeat } from '../link/service.ts';
import { wait } from '../time.ts';
import { createOutputLimit } from './output-limit.ts';

interface UploadOptions {
	/** Appends the chunk and returns the offset that is expected next. */
	append(chunk: ConsoleChunk): Promise<number>;
	readonly signal: AbortSignal;
	/** The service rejects the output, for ever if the lease has ended. */
	onRejected(error: unknown): void;
}

/**
 * Output after a silence is sent at once, then collected for this time and twice as long each time, as long
 * as the board prints on, in milliseconds.
 */
const collectTime = { first: 5, longest: 250 };

/** What the service has to know is sent with the next output, or alone after this time, in milliseconds. */
const confirmTime = 500;

const largestChunk = 64 * 1024;

/** What the service rejects is sent again after this time, in milliseconds. */
const rejectedPause = 5_000;

const mostWaiting = 256 * 1024;

interface Mark {
	/** How many bytes had been taken when it was set. */
	readonly at: number;
	resolve(offset: number | undefined): void;
}

export class ConsoleUpload {
	readonly #options: UploadOptions;
	readonly #limit = createOutputLimit();
	#waiting = Buffer.alloc(0);
	#marks: Mark[] = [];
	/** Bytes of output: taken, sent, and the offset that the service expects next. */
	#taken = 0;
	#sent = 0;
	#offset = 0;
	/** Up to where the input was written, and up to where the service knows it. */
	#written = 0;
	#confirmed = 0;
	/** The state of the console, and the one that the service knows. */
	#state: ConsoleState | undefined;
	#knownState: ConsoleState | undefined;
	/** What the service has asked for, behind how many bytes it is confirmed, and what it knows of. */
	#sync = { wanted: 0, at: 0, known: 0 };
	#confirmsAlone = false;
	#confirmsSoon = false;
	#isSending = false;
	#sentAt = Number.NEGATIVE_INFINITY;
	#collectTime = 0;
	/** Ends the collecting early. */
	#hurry = new AbortController();

	constructor(options: UploadOptions) {
		this.#options = options;
	}

	take(bytes: Uint8Array): void {
		if (this.#options.signal.aborted) return;
		this.#push(this.#limit.take(bytes, this.#waiting.length < mostWaiting));
		this.#start();
	}

	/**
	 * Resolves with the offset of the output that comes next, once the service has all that came
	 * before; with undefined if the service rejects it. A flood before it does not drown what
	 * comes next.
	 */
	async mark(): Promise<number | undefined> {
		this.#push(this.#limit.renew());
		if (this.#options.signal.aborted) return undefined;
		const { promise, resolve } = Promise.withResolvers<number | undefined>();
		this.#marks.push({ at: this.#taken, resolve });
		this.#settleMarks();
		this.#sendAtOnce();
		return promise;
	}

	/** Sends the service soon up to where the input was written to the board, and the echo at once. */
	confirm(input: number): void {
		this.#written = input;
		this.#collectTime = 0;
		if (this.#waiting.length > 0) this.#sendAtOnce();
		void this.#confirmLater();
	}

	/** Sends the service soon whether the console is connected. */
	report(state: ConsoleState): void {
		this.#state = state;
		void this.#confirmLater();
	}

	/** Tells the service that it has all output that was taken until now. */
	sync(wanted: number): void {
		// After an older backup was restored, the service counts from less.
		if (wanted === this.#sync.wanted) return;
		// The mark for what was dropped is output, too.
		this.#push(this.#limit.renew());
		this.#sync = { ...this.#sync, wanted, at: this.#taken };
		this.#sendAtOnce();
	}

	get confirmed() {
		const console_change = this.#knownState?.change ?? 0;
		return { output: this.#offset, taken: this.#confirmed, console_change };
	}

	#push(bytes: Uint8Array) {
		if (bytes.length > 0) this.#waiting = Buffer.concat([this.#waiting, bytes]);
		this.#taken += bytes.length;
	}

	#settleMarks() {
		while (this.#marks[0]?.at === this.#sent) this.#marks.shift()?.resolve(this.#offset);
	}

	#start() {
		if (this.#isSending) return;
		this.#isSending = true;
		this.#send().catch((error: unknown) => this.#pause(error));
	}

	#sendAtOnce() {
		this.#hurry.abort();
		this.#start();
	}

	async #send() {
		while (this.#waiting.length > 0 || this.#limit.dropping || this.#hasToConfirm) {
			await this.#collect();
			this.#push(this.#limit.rest());
			await this.#sendChunk();
			this.#sentAt = performance.now();
		}
		this.#isSending = false;
	}

	async #collect() {
		const { signal } = this.#options;
		const { first, longest } = collectTime;
		const silence = performance.now() - this.#sentAt;
		this.#collectTime =
			silence > longest ? 0 : Math.min(longest, Math.max(first, 2 * this.#collectTime));
		if (this.#marks.length === 0 && !this.#hasToConfirm && silence < this.#collectTime) {
			const early = AbortSignal.any([signal, this.#hurry.signal]);
			await wait(this.#collectTime - silence, early).catch(() => signal.throwIfAborted());
		}
		this.#hurry = new AbortController();
	}

	async #sendChunk() {
		// A chunk ends at the next mark, whose offset is then that of the chunk's end.
		const untilMark = (this.#marks[0]?.at ?? this.#taken) - this.#sent;
		const bytes = this.#waiting.subarray(0, Math.min(largestChunk, untilMark));
		const { wanted, at, known } = this.#sync;
		const synced = wanted !== known && at <= this.#sent + bytes.length ? wanted : undefined;
		if (bytes.length > 0 || this.#hasToConfirm) {
			const input = this.#written > this.#confirmed ? this.#written : undefined;
			const state = this.#state === this.#knownState ? undefined : this.#state;
			const chunk = { offset: this.#offset, bytes, input, state, synced };
			const { append, signal } = this.#options;
			this.#offset = await repeat(() => append(chunk), signal);
			this.#confirmed = input ?? this.#confirmed;
			this.#knownState = state ?? this.#knownState;
			this.#sync.known = synced ?? this.#sync.known;
			this.#confirmsAlone = false;
			// What has changed during the request.
			void this.#confirmLater();
		}
		this.#waiting = this.#waiting.subarray(bytes.length);
		this.#sent += bytes.length;
		this.#settleMarks();
	}

	get #hasToConfirm() {
		return this.#confirmsAlone || this.#sync.wanted !== this.#sync.known;
	}

	get #isConfirmed() {
		return this.#written === this.#confirmed && this.#state === this.#knownState;
	}

	async #confirmLater() {
		if (this.#confirmsSoon || this.#isConfirmed) return;
		const { signal } = this.#options;
		this.#confirmsSoon = true;
		await wait(confirmTime, signal).catch(() => {});
		this.#confirmsSoon = false;
		this.#confirmsAlone = !this.#isConfirmed && !signal.aborted;
		if (this.#confirmsAlone) this.#start();
	}

	/** Sends it again later, unless the lease has ended. No action waits for that. */
	async #pause(error: unknown) {
		for (const { resolve } of this.#marks) resolve(undefined);
		this.#marks = [];
		const { onRejected, signal } = this.#options;
		onRejected(error);
		await wait(rejectedPause, signal).then(
			() => {
				this.#isSending = false;
				this.#start();
			},
			() => {},
		);
	}
}
