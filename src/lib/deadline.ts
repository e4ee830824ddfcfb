// The one time limit of a request: it covers all attempts, the waits between them and the bodies.
// AbortSignal.timeout and AbortSignal.any do less: their timer cannot be cleared when the request ends,
// they do not end work that ignores its signal, and they take more time.
import { TimeoutError } from '../errors.ts';

export function startDeadline(
	milliseconds: number,
	caller: AbortSignal | undefined,
	missing?: string,
) {
	caller?.throwIfAborted();
	const expiresAt = performance.now() + milliseconds;
	const controller = new AbortController();
	const { signal } = controller;
	let onStop: (reason: unknown) => void = () => {};

	const stop = (reason: unknown) => {
		controller.abort(reason);
		onStop(reason);
	};
	const timer = setTimeout(() => stop(new TimeoutError(milliseconds, missing)), milliseconds);
	const follow = () => stop(caller?.reason);
	caller?.addEventListener('abort', follow, { once: true });

	/** The result of the work, or the reason why it ended, even when the work ignores the signal. */
	const race = <Result>(work: Promise<Result>) =>
		new Promise<Result>((resolve, reject) => {
			onStop = reject;
			if (signal.aborted) reject(signal.reason);
			work.then(resolve, reject);
		});

	return {
		/** Aborted when the time is up or the caller aborts. */
		signal,
		race,
		/** Milliseconds left. */
		remaining: () => expiresAt - performance.now(),
		async wait(waitMs: number) {
			let pause: ReturnType<typeof setTimeout> | undefined;
			try {
				await race(new Promise((resolve) => (pause = setTimeout(resolve, waitMs))));
			} finally {
				clearTimeout(pause);
			}
		},
		/** Leaves nothing behind: no timer, no listener on the caller's signal. */
		end() {
			clearTimeout(timer);
			caller?.removeEventListener('abort', follow);
		},
	};
}
