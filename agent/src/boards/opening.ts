// Opens the board of a lease when it is first needed, and again after a failure.
import { AgentError } from '../agent-error.ts';
import { backoff } from '../backoff.ts';
import { notice } from '../drivers/hardware.ts';
import { messageOf } from '../printable.ts';
import { wait } from '../time.ts';
import type { ConsoleUpload } from './console-upload.ts';
import type { SessionOptions } from './session.ts';

export class Opening {
	readonly #options: SessionOptions;
	readonly #upload: ConsoleUpload;
	readonly #signal: AbortSignal;
	#opened: Promise<void> | undefined;
	#isTouched = false;

	constructor(options: SessionOptions, upload: ConsoleUpload, signal: AbortSignal) {
		this.#options = options;
		this.#upload = upload;
		this.#signal = signal;
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

	/** Leaves a board alone that was never opened. */
	async close(): Promise<void> {
		await this.#opened?.catch(() => {});
		if (this.#isTouched) await this.#options.hardware.close();
	}

	async #attempt() {
		await this.#options.acquire();
		this.#signal.throwIfAborted();
		this.#isTouched = true;
		await this.#options.hardware.open((bytes) => this.#upload.take(bytes));
	}

	#report(error: unknown) {
		const { boardId, leaseId, log } = this.#options;
		const reason = messageOf(error);
		log.error({ boardId, leaseId, reason }, 'The board cannot be opened');
		this.#upload.take(notice(`the board cannot be opened: ${reason}`));
	}
}
