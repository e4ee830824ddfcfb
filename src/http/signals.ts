// Signals, time limits and waits that leave no timer and no listener behind.
// AbortSignal.timeout and AbortSignal.any do less: their timer cannot be cleared when the work is done,
// and work that ignores its signal continues.
import { RequestTimeoutError } from '../errors/errors.ts';

type Timer = ReturnType<typeof setTimeout>;

/** The longest time of a timer, in milliseconds: after a longer one, it would fire at once. */
export const maxTimeout = 2 ** 31 - 1;

/** The result of the work, or the reason of the signal even when the work ignores it. */
export function abortable<Result>(work: Promise<Result>, signal: AbortSignal | undefined) {
	return new Promise<Result>((resolve, reject) => {
		const onAbort = () => reject(signal?.reason);
		if (signal?.aborted) onAbort();
		signal?.addEventListener('abort', onAbort, { once: true });
		work.finally(() => signal?.removeEventListener('abort', onAbort)).then(resolve, reject);
	});
}

interface TimeLimit {
	milliseconds?: number | undefined;
	late?: () => Error;
}

/** A signal that follows others and a time limit, until it is ended. */
export function followSignals(
	signals: readonly (AbortSignal | undefined)[],
	{ milliseconds, late = () => new RequestTimeoutError(milliseconds ?? 0) }: TimeLimit = {},
) {
	const controller = new AbortController();
	let timer: Timer | undefined;
	const end = () => {
		clearTimeout(timer);
		for (const signal of signals) signal?.removeEventListener('abort', follow);
	};
	const abort = (reason: unknown) => {
		end();
		controller.abort(reason);
	};
	const follow = () => abort(signals.find((signal) => signal?.aborted)?.reason);
	for (const signal of signals) signal?.addEventListener('abort', follow);
	if (milliseconds !== undefined) timer = setTimeout(() => abort(late()), milliseconds);
	if (signals.some((signal) => signal?.aborted)) follow();
	return { signal: controller.signal, abort, end };
}

/** A signal that follows another one after some time, unless a third is aborted before. */
export function followLater(signal: AbortSignal, milliseconds: number, unless?: AbortSignal) {
	const late = new AbortController();
	let timer: Timer | undefined;
	const onAbort = () => {
		timer = setTimeout(() => late.abort(signal.reason), milliseconds);
	};
	signal.addEventListener('abort', onAbort, { once: true, ...(unless && { signal: unless }) });
	const end = () => {
		clearTimeout(timer);
		signal.removeEventListener('abort', onAbort);
	};
	return { signal: late.signal, end };
}

/** Resolves after the time, or rejects with the reason of the signal. */
export async function pause(
	milliseconds: number,
	signal: AbortSignal | undefined,
	startTimer: (callback: () => void, milliseconds: number) => Timer = setTimeout,
) {
	signal?.throwIfAborted();
	let timer: Timer | undefined;
	const elapsed = new Promise<void>((resolve) => {
		timer = startTimer(resolve, Math.min(milliseconds, maxTimeout));
	});
	await abortable(elapsed, signal).finally(() => clearTimeout(timer));
}

/** A timer that does not keep the process alive. */
export function quietTimer(callback: () => void, milliseconds: number) {
	const timer = setTimeout(callback, Math.min(milliseconds, maxTimeout));
	if (typeof timer === 'object') timer.unref(); // in browsers, a timer is a number
	return timer;
}
