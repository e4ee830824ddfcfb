// Sends the console output of a lease to the service: one request at a time, by offset.
import { addAbortListener } from 'node:events';
import { maxConsoleReport } from 'board-access-contract';
import { type ConsoleChunk, type ConsoleState, repeat } from '../link/service.ts';
import { wait } from '../time.ts';
import { createOutputLimit } from './output-limit.ts';

interface UploadOptions {
	/** Appends the chunk and returns the offset that is expected next. */
	append(chunk: ConsoleChunk): Promise<number>;
	readonly signal: AbortSignal;
	onRejected(error: unknown): void;
}

/** Output after a silence is sent at once, then collected for a time that doubles while the board prints. */
const collectTime = { min: 5, max: 250 };

/** Confirmations and states are sent with the next output, or alone after this time, in milliseconds. */
const confirmTime = 500;

const rejectedPause = 5_000;

const maxWaiting = 256 * 1024;

interface Mark {
	/** The offset after the output that it waits for. */
	readonly at: number;
	resolve(offset: number | undefined): void;
}

export class ConsoleUpload {
	readonly #options: UploadOptions;
	readonly #limit = createOutputLimit();
	/** The offset that the service expects next. */
	#offset = 0;
	#waiting = Buffer.alloc(0);
	#marks: Mark[] = [];
	/** What the service has asked for, and the offset after which it is confirmed. */
	#sync = { wanted: 0, at: 0 };
	/** The offset up to which the input was written. */
	#input = 0;
	#state: ConsoleState | undefined;
	/** Since when one of these was not sent. */
	#unsentSince: number | undefined;
	/** What was sent. */
	#known: { input: number; state?: ConsoleState | undefined; synced: number } = {
		input: 0,
		synced: 0,
	};
	#isSending = false;
	#timer: NodeJS.Timeout | undefined;
	#sentAt = Number.NEGATIVE_INFINITY;
	#collectTime = 0;

	constructor(options: UploadOptions) {
		this.#options = options;
		addAbortListener(options.signal, () => {
			clearTimeout(this.#timer);
			this.#dropMarks();
		});
	}

	take(bytes: Uint8Array): void {
		if (this.#options.signal.aborted) return;
		const isSilent = performance.now() - this.#sentAt > collectTime.max;
		if (isSilent && this.#waiting.length === 0) this.#collectTime = 0;
		this.#push(this.#limit.take(bytes, this.#waiting.length < maxWaiting));
		this.#schedule();
	}

	/** Resolves with the offset of the next output once the service has all before it; undefined if it never has. */
	async mark(): Promise<number | undefined> {
		this.#push(this.#limit.renew());
		if (this.#options.signal.aborted) return undefined;
		if (this.#waiting.length === 0) return this.#offset;
		const { promise, resolve } = Promise.withResolvers<number | undefined>();
		this.#marks.push({ at: this.#end, resolve });
		this.#schedule();
		return promise;
	}

	/** Reports soon up to which offset input was written, and sends the echo at once. */
	confirm(input: number): void {
		this.#input = input;
		this.#collectTime = 0;
		this.#confirmSoon();
	}

	report(state: ConsoleState): void {
		this.#state = state;
		this.#confirmSoon();
	}

	/** Confirms to the service when it has all output until now. */
	sync(wanted: number): void {
		// Not a comparison of sizes: after a restored backup, the service counts from less.
		if (wanted === this.#sync.wanted) return;
		this.#push(this.#limit.renew());
		this.#sync = { wanted, at: this.#end };
		this.#schedule();
	}

	get confirmed() {
		const { input: taken, state } = this.#known;
		return { output: this.#offset, taken, console_change: state?.change ?? 0 };
	}

	get #end() {
		return this.#offset + this.#waiting.length;
	}

	#dropMarks() {
		for (const { resolve } of this.#marks.splice(0)) resolve(undefined);
	}

	#push(bytes: Uint8Array) {
		if (bytes.length > 0) this.#waiting = Buffer.concat([this.#waiting, bytes]);
	}

	#confirmSoon() {
		this.#unsentSince ??= performance.now();
		this.#schedule();
	}

	/** When the next request is due; never, if there is nothing to send. */
	get #due(): number {
		if (this.#marks.length > 0 || this.#sync.wanted !== this.#known.synced) return 0;
		if (this.#waiting.length > 0 || this.#limit.dropping) return this.#sentAt + this.#collectTime;
		return (this.#unsentSince ?? Infinity) + confirmTime;
	}

	#schedule() {
		clearTimeout(this.#timer);
		if (this.#isSending || this.#options.signal.aborted) return;
		const pause = this.#due - performance.now();
		if (pause <= 0) void this.#send();
		else if (pause < Infinity) this.#timer = setTimeout(() => this.#send(), pause);
	}

	async #send() {
		const { onRejected, signal } = this.#options;
		this.#isSending = true;
		const { min, max } = collectTime;
		this.#collectTime = Math.min(max, Math.max(min, 2 * this.#collectTime));
		try {
			// Collects what is printed in the same moment.
			await Promise.resolve();
			this.#push(this.#limit.take());
			await this.#sendChunk();
		} catch (error) {
			// No action waits until it is sent again.
			this.#dropMarks();
			this.#unsentSince ??= performance.now();
			onRejected(error);
			await wait(rejectedPause, signal).catch(() => {});
		}
		this.#sentAt = performance.now();
		this.#isSending = false;
		this.#schedule();
	}

	async #sendChunk() {
		const { append, signal } = this.#options;
		// A chunk ends at the next mark.
		const length = (this.#marks[0]?.at ?? this.#end) - this.#offset;
		const bytes = this.#waiting.subarray(0, Math.min(maxConsoleReport, length));
		const isSynced = this.#sync.at <= this.#offset + bytes.length;
		const { input, state, synced } = this.#known;
		const news = {
			...(this.#input !== input && { input: this.#input }),
			...(this.#state !== state && { state: this.#state }),
			...(isSynced && this.#sync.wanted !== synced && { synced: this.#sync.wanted }),
		};
		this.#unsentSince = undefined;
		if (bytes.length === 0 && Object.keys(news).length === 0) return;
		const chunk = { offset: this.#offset, bytes, ...news };
		this.#offset = await repeat(() => append(chunk), signal);
		this.#known = { ...this.#known, ...news };
		this.#waiting = this.#waiting.subarray(bytes.length);
		while (this.#marks[0] && this.#marks[0].at <= this.#offset) {
			this.#marks.shift()?.resolve(this.#offset);
		}
	}
}
