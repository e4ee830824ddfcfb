// Time limits: of one attempt, or of a wait, and the pauses between attempts.
// AbortSignal.timeout and AbortSignal.any do less: their timer cannot be cleared when the request ends,
// they do not end work that ignores its signal, and they take more time.
import { TimeoutError } from '../errors.ts';

export function startDeadline(
	milliseconds: number,
	caller: AbortSignal | undefined,
	late = () => new TimeoutError(milliseconds),
) {
	caller?.throwIfAborted();
	const controller = new AbortController();
	const { signal } = controller;
	let onStop: (reason: unknown) => void = () => {};

	const stop = (reason: unknown) => {
		controller.abort(reason);
		onStop(reason);
	};
	const timer = setTimeout(() => stop(late()), milliseconds);
	const follow = () => stop(caller?.reason);
	caller?.addEventListener('abort', follow, { once: true });

	return {
		/** Aborted when the time is up or the caller aborts. */
		signal,
		/** The result of the work, or the reason why it ended, even when the work ignores the signal. */
		race: <Result>(work: Promise<Result>) =>
			new Promise<Result>((resolve, reject) => {
				onStop = reject;
				if (signal.aborted) reject(signal.reason);
				work.then(resolve, reject);
			}),
		/** Leaves nothing behind: no timer, no listener on the caller's signal. */
		end() {
			clearTimeout(timer);
			caller?.removeEventListener('abort', follow);
		},
	};
}

/** The limit of each attempt, and that of all of them with the waits between. */
export function startLimits(
	{ timeout, attemptTimeout }: { timeout: number; attemptTimeout: number },
	caller: AbortSignal | undefined,
) {
	const endsAt = performance.now() + timeout;
	const remaining = () => endsAt - performance.now();
	return {
		remaining,
		/** `isLast`: its limit is that of all attempts, so that no other follows when it is reached. */
		startAttempt() {
			const left = remaining();
			const isLast = left <= attemptTimeout;
			const deadline = isLast
				? startDeadline(left, caller, () => new TimeoutError(timeout))
				: startDeadline(attemptTimeout, caller);
			return { ...deadline, isLast };
		},
	};
}

type Timer = ReturnType<typeof setTimeout>;

/** Resolves after the time, or rejects with the reason of the signal. */
export async function pause(
	milliseconds: number,
	signal: AbortSignal | undefined,
	startTimer: (callback: () => void, milliseconds: number) => Timer = setTimeout,
) {
	signal?.throwIfAborted();
	let onAbort = () => {};
	let timer: Timer | undefined;
	try {
		await new Promise<void>((resolve, reject) => {
			timer = startTimer(resolve, milliseconds);
			onAbort = () => reject(signal?.reason);
			signal?.addEventListener('abort', onAbort);
		});
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener('abort', onAbort);
	}
}
