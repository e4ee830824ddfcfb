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
