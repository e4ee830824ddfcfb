// Opens the board of a lease when it is first needed, and again after a failure.
import { AgentError } from '../agent-error.ts';
import { backoff } from '../backoff.ts';
import { notice } from '../drivers/hardware.ts';
import { messageOf } from '../printable.ts';
import { wait } from '../time.ts';
import type { ConsoleTracker } from './console-tracker.ts';
import type { ConsoleUpload } from './console-upload.ts';
import type { SessionOptions } from './session.ts';

export class Opening {
	readonly #options: SessionOptions;
	readonly #upload: ConsoleUpload;
	readonly #tracker: ConsoleTracker;
	readonly #signal: AbortSignal;
	#opened: Promise<void> | undefined;
	/** The action with which the output of the lease begins: before it, that of the last lease is discarded. */
	#awaited: string | undefined;
	#isTouched = false;

	constructor(
		options: SessionOptions,
		parts: { upload: ConsoleUpload; tracker: ConsoleTracker; signal: AbortSignal },
	) {
		this.#options = options;
		this.#upload = parts.upload;
		this.#tracker = parts.tracker;
		this.#signal = parts.signal;
		this.#awaited = options.outputFrom;
	}

	open(): Promise<void> {
		this.#opened ??= this.#attempt().catch((error: unknown) => {
			this.#opened = undefined;
			throw error;
		});
		return this.#opened;
	}

	/** Opens the board at once, and again as long as it is the agent that fails. */
	async keepOpening(): Promise<void> {
		for (let attempt = 0; ; attempt++) {
			try {
				return await this.open();
			} catch (error) {
				this.#signal.throwIfAborted();
				if (attempt === 0) this.#report(error);
				if (!(error instanceof AgentError)) return;
			}
			await wait(backoff(attempt), this.#signal);
		}
	}

	/** The output of this action begins, or that of the lease in any case. */
	outputBegins(actionId = this.#awaited): void {
		if (actionId === this.#awaited) this.#awaited = undefined;
	}

	/** Leaves a board alone that was never opened. */
	async close(): Promise<void> {
		await this.#opened?.catch(() => {});
		if (this.#isTouched) await this.#options.hardware.close();
	}

	async #attempt() {
		await this.#options.acquire();
		this.#signal.throwIfAborted();
		this.#isTouched = true;
		const output = (bytes: Uint8Array) => {
			if (this.#awaited === undefined) this.#upload.take(bytes);
		};
		const { hardware } = this.#options;
		await this.#tracker.during(() => hardware.open(output, this.#tracker));
	}

	#report(error: unknown) {
		const { boardId, leaseId, hardware, log } = this.#options;
		const reason = messageOf(error);
		log.error({ boardId, leaseId, reason }, 'The board cannot be opened');
		const text = `the board cannot be opened: ${reason}`;
		this.#upload.take(notice(text));
		if (hardware.hasConsole) this.#tracker.lost(text);
	}
}
