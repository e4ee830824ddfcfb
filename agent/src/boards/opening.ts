// Opens the board of a lease when it is first needed, and again after a failure.

import { notice } from '../drivers/hardware.ts';
import { AgentError, messageOf } from '../errors.ts';
import { backoff, wait } from '../time.ts';
import type { ConsoleTracker } from './console-tracker.ts';
import type { LeaseOptions } from './served-lease.ts';

interface OpeningOptions extends LeaseOptions {
	readonly tracker: ConsoleTracker;
	readonly signal: AbortSignal;
}

export class Opening {
	readonly #options: OpeningOptions;
	#opened: Promise<void> | undefined;
	#isTouched = false;

	constructor(options: OpeningOptions) {
		this.#options = options;
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
				this.#options.signal.throwIfAborted();
				if (attempt === 0) this.#report(error);
				if (!(error instanceof AgentError)) return;
			}
			await wait(backoff(attempt), this.#options.signal);
		}
	}

	/** Leaves a board alone that was never opened. */
	async close(): Promise<void> {
		await this.#opened?.catch(() => {});
		if (this.#isTouched) await this.#options.hardware.close();
	}

	async #attempt() {
		const { acquire, hardware, tracker, signal } = this.#options;
		await acquire();
		signal.throwIfAborted();
		this.#isTouched = true;
		await tracker.during(() => hardware.open(tracker));
	}

	#report(error: unknown) {
		const { boardId, leaseId, hardware, log, tracker } = this.#options;
		const reason = messageOf(error);
		log.error({ boardId, leaseId, reason }, 'The board cannot be opened');
		const text = `the board cannot be opened: ${reason}`;
		if (hardware.hasConsole) tracker.lost(text);
		else tracker.output(notice(text));
	}
}
