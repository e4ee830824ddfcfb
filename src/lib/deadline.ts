// The one time limit of a call: it covers all tries, the waits between them and the bodies.
import { TimeoutError } from '../errors.ts';

export class Deadline {
	readonly #controller = new AbortController();
	readonly #expiresAt: number;
	readonly #timer: ReturnType<typeof setTimeout>;
	readonly #caller: AbortSignal | undefined;
	readonly #over: Promise<never>;
	#reject: (reason: unknown) => void = () => {};

	constructor(milliseconds: number, caller: AbortSignal | undefined) {
		caller?.throwIfAborted();
		this.#expiresAt = performance.now() + milliseconds;
		this.#caller = caller;
		this.#over = new Promise((_, reject) => {
			this.#reject = reject;
		});
		this.#over.catch(() => {}); // nobody may be waiting when it comes
		this.#timer = setTimeout(() => this.#stop(new TimeoutError(milliseconds)), milliseconds);
		caller?.addEventListener('abort', this.#follow, { once: true });
	}

	readonly #follow = () => this.#stop(this.#caller?.reason);

	#stop(reason: unknown) {
		this.#controller.abort(reason);
		this.#reject(reason);
	}

	/** Aborted when the time is up or the caller aborts. */
	get signal() {
		return this.#controller.signal;
	}

	/** Milliseconds left. */
	get remaining() {
		return this.#expiresAt - performance.now();
	}

	/** The work's result, or the reason why it is over, even when the work ignores the signal. */
	race<Result>(work: Promise<Result>) {
		return Promise.race([work, this.#over]);
	}

	async wait(milliseconds: number) {
		let timer: ReturnType<typeof setTimeout> | undefined;
		try {
			await this.race(new Promise((resolve) => (timer = setTimeout(resolve, milliseconds))));
		} finally {
			clearTimeout(timer);
		}
	}

	/** Leaves nothing behind: no timer, no listener on the caller's signal. */
	end() {
		clearTimeout(this.#timer);
		this.#caller?.removeEventListener('abort', this.#follow);
	}
}
