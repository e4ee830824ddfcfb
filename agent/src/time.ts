// Waits. Uses the global timers, which tests can replace.
import { addAbortListener } from 'node:events';

/** Resolves after this time. Rejects as soon as the signal is aborted. */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, milliseconds);
	using _ = signal && addAbortListener(signal, () => reject(signal.reason));
	await promise.finally(() => clearTimeout(timer));
}

/** Milliseconds to wait after a failed attempt (0 is the first), with random jitter. */
export function backoff(attempt: number, { min = 200, max = 5_000 } = {}): number {
	const pause = Math.min(max, min * 2 ** Math.min(attempt, 10));
	return pause * (0.5 + Math.random() / 2);
}
