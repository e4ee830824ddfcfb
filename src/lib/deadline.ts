// Signals, the time limits that abort them, and work that ends with them.
// AbortSignal.timeout and AbortSignal.any do less: their timer cannot be cleared when the request ends,
// they leave listeners behind, and they take more time.
import { TimeoutError } from '../errors.ts';

/** A signal that follows several others until it is detached. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]) {
	const controller = new AbortController();
	const followed = signals.filter((signal) => signal !== undefined);
	const detach = () => {
		for (const signal of followed) signal.removeEventListener('abort', follow);
	};
	const abort = (reason: unknown) => {
		detach();
		controller.abort(reason);
	};
	const follow = () => abort(followed.find((signal) => signal.aborted)?.reason);
	for (const signal of followed) signal.addEventListener('abort', follow, { once: true });
	if (followed.some((signal) => signal.aborted)) follow();
	return { signal: controller.signal, abort, detach };
}

/** A signal that follows another one after some time, unless a third is aborted before. */
export function followLater(signal: AbortSignal, milliseconds: number, unless?: AbortSignal) {
	const late = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const onAbort = () => {
		timer = setTimeout(() => late.abort(signal.reason), milliseconds);
	};
	signal.addEventListener('abort', onAbort, { once: true, ...(unless && { signal: unless }) });
	const detach = () => {
		clearTimeout(timer);
		signal.removeEventListener('abort', onAbort);
	};
	return { signal: late.signal, detach };
}

/** The result of the work, or the reason of the signal even when the work ignores it. */
export async function abortable<Result>(work: Promise<Result>, signal: AbortSignal | undefined) {
	if (!signal) return await work;
	let onAbort = () => {};
	const aborted = new Promise<never>((_, reject) => {
		onAbort = () => reject(signal.reason);
	});
	signal.addEventListener('abort', onAbort, { once: true });
	if (signal.aborted) onAbort();
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Joins the signals with a time limit, if there is one. `end` leaves no timer and no listener behind. */
export function startDeadline(
	milliseconds: number | undefined,
	signals: readonly (AbortSignal | undefined)[],
	late = () => new TimeoutError(milliseconds ?? 0),
) {
	const { signal, abort, detach } = joinSignals(...signals);
	const timer =
		milliseconds === undefined ? undefined : setTimeout(() => abort(late()), milliseconds);
	const end = () => {
		clearTimeout(timer);
		detach();
	};
	return { signal, end };
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
			caller?.throwIfAborted();
			const left = remaining();
			const isLast = left <= attemptTimeout;
			const late = () => new TimeoutError(isLast ? timeout : attemptTimeout);
			return { ...startDeadline(isLast ? left : attemptTimeout, [caller], late), isLast };
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
	let timer: Timer | undefined;
	const elapsed = new Promise<void>((resolve) => {
		timer = startTimer(resolve, milliseconds);
	});
	await abortable(elapsed, signal).finally(() => clearTimeout(timer));
}
