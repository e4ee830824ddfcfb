// Looks at a board again and again, as long as somebody looks at its page.
import { wait } from '../time.ts';

interface WatchOptions {
	/** From one look to the next, in milliseconds. */
	readonly pace: number;
	readonly signal: AbortSignal;
	/** Must not reject, unless the signal is aborted. */
	look(): Promise<void>;
	/** Called when nobody looks any more. */
	rest?(): void;
}

export class Watch {
	readonly #options: WatchOptions;
	#until = 0;
	#isRunning = false;

	constructor(options: WatchOptions) {
		this.#options = options;
	}

	/** Somebody looks for this time, in milliseconds. */
	extend(milliseconds: number): void {
		this.#until = performance.now() + milliseconds;
		if (this.#isRunning || milliseconds <= 0) return;
		this.#isRunning = true;
		// Rejected once the signal is aborted.
		void this.#run().catch(() => {});
	}

	async #run() {
		const { pace, signal, look, rest } = this.#options;
		try {
			while (performance.now() < this.#until) {
				const next = performance.now() + pace;
				await look();
				await wait(Math.max(0, next - performance.now()), signal);
			}
		} finally {
			rest?.();
			this.#isRunning = false;
		}
	}
}
