// Waits by the global timers, so that a simulation can replace them.

/** Resolves after this time. Rejects as soon as the signal is aborted. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	if (signal?.aborted) return Promise.reject(signal.reason);
	const timer = setTimeout(resolve, milliseconds);
	const abort = () => reject(signal?.reason);
	signal?.addEventListener('abort', abort, { once: true });
	return promise.finally(() => {
		clearTimeout(timer);
		signal?.removeEventListener('abort', abort);
	});
}

/** Milliseconds to wait after a failed attempt (0 is the first), with random jitter. */
export function backoff(attempt: number, { shortest = 200, longest = 5_000 } = {}): number {
	const pause = Math.min(longest, shortest * 2 ** Math.min(attempt, 10));
	return pause * (0.5 + Math.random() / 2);
}
