// The one time limit of a request: it covers all attempts, the waits between them and the bodies.
// AbortSignal.timeout and AbortSignal.any do less: their timer cannot be cleared when the request ends,
// they do not end work that ignores its signal, and they take more time.
import { TimeoutError } from '../errors.ts';

export class Deadline {
	readonly #controller = new AbortController();
	readonly #expiresAt: number;
	readonly #timer: ReturnType<typeof setTimeout>;
	readonly #caller: AbortSignal | undefined;
	#reject: (reason: unknown) => void = () => {};

	constructor(milliseconds: number, caller: AbortSignal | undefined, missing?: string) {
		caller?.throwIfAborted();
		this.#expiresAt = performance.now() + milliseconds;
		this.#caller = caller;
		const expire = () => this.#stop(new TimeoutError(milliseconds, missing));
		this.#timer = setTimeout(expire, milliseconds);
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

	/** The result of the work, or the reason why it ended, even when the work ignores the signal. */
	race<Result>(work: Promise<Result>) {
		return new Promise<Result>((resolve, reject) => {
			this.#reject = reject;
			if (this.signal.aborted) reject(this.signal.reason);
			work.then(resolve, reject);
		});
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
