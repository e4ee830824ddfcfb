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

/** What the service rejects is sent again after this time, in milliseconds. */
const rejectedPause = 5_000;

const maxWaiting = 256 * 1024;

interface Mark {
	/** The offset behind all output that had been taken when it was set. */
	readonly at: number;
	resolve(offset: number | undefined): void;
}

export class ConsoleUpload {
	readonly #options: UploadOptions;
	readonly #limit = createOutputLimit();
	/** The offset that the service expects next, and the output from there on. */
	#offset = 0;
	#waiting = Buffer.alloc(0);
	#marks: Mark[] = [];
	/** What the service has asked for, and the offset behind which it is confirmed. */
	#sync = { wanted: 0, at: 0 };
	/** Up to where the input was written. */
	#input = 0;
	/** The state of the console. */
	#state: ConsoleState | undefined;
	/** Since when the service lacks one of these. */
	#lacksSince: number | undefined;
	/** What the service knows of these. */
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
		const isSilent = performance.now() - this.#sentAt > collectTime.longest;
		if (isSilent && this.#waiting.length === 0) this.#collectTime = 0;
		this.#push(this.#limit.take(bytes, this.#waiting.length < maxWaiting));
		this.#schedule();
	}

	/**
	 * Resolves with the offset of the next output once the service has everything before it, or with
	 * undefined if the service rejects that or the lease ends. A flood before it does not displace the
	 * next output.
	 */
	async mark(): Promise<number | undefined> {
		this.#push(this.#limit.renew());
		if (this.#options.signal.aborted) return undefined;
		if (this.#waiting.length === 0) return this.#offset;
		const { promise, resolve } = Promise.withResolvers<number | undefined>();
		this.#marks.push({ at: this.#end, resolve });
		this.#schedule();
		return promise;
	}

	/** Sends the service soon up to where the input was written to the board, and the echo at once. */
	confirm(input: number): void {
		this.#input = input;
		this.#collectTime = 0;
		this.#confirmSoon();
	}

	/** Sends the service soon whether the console is connected. */
	report(state: ConsoleState): void {
		this.#state = state;
		this.#confirmSoon();
	}

	/** Tells the service that it has all output that was taken until now. */
	sync(wanted: number): void {
		// After an older backup was restored, the service counts from less.
		if (wanted === this.#sync.wanted) return;
		// The mark for what was dropped is output, too.
		this.#push(this.#limit.renew());
		this.#sync = { wanted, at: this.#end };
		this.#schedule();
	}

	get confirmed() {
		const { input: taken, state } = this.#known;
		return { output: this.#offset, taken, console_change: state?.change ?? 0 };
	}

	/** The offset behind all output that was taken. */
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
		this.#lacksSince ??= performance.now();
		this.#schedule();
	}

	/** When the next request is due; never, if there is nothing to send. */
	get #due(): number {
		if (this.#marks.length > 0 || this.#sync.wanted !== this.#known.synced) return 0;
		if (this.#waiting.length > 0 || this.#limit.dropping) return this.#sentAt + this.#collectTime;
		return (this.#lacksSince ?? Infinity) + confirmTime;
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
		this.#collectTime = Math.min(
			collectTime.longest,
			Math.max(collectTime.first, 2 * this.#collectTime),
		);
		try {
			// Sent together with output of the same moment.
			await Promise.resolve();
			this.#push(this.#limit.take());
			await this.#sendChunk();
		} catch (error) {
			// Sent again later, unless the lease has ended. No action waits for that.
			this.#dropMarks();
			this.#lacksSince ??= performance.now();
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
		this.#lacksSince = undefined;
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
