// Time limits, and work that ends with them or with the signal of its caller.
// AbortSignal.timeout and AbortSignal.any do less: their timer cannot be cleared when the request ends,
// they leave listeners behind, and they take more time.
import { TimeoutError } from '../errors/errors.ts';

/** The result of the work, or the reason of the signal even when the work ignores it. */
export function abortable<Result>(work: Promise<Result>, signal: AbortSignal | undefined) {
	return new Promise<Result>((resolve, reject) => {
		const onAbort = () => reject(signal?.reason);
		if (signal?.aborted) onAbort();
		signal?.addEventListener('abort', onAbort, { once: true });
		work.finally(() => signal?.removeEventListener('abort', onAbort)).then(resolve, reject);
	});
}

/** Follows the caller's signal, with a time limit if there is one. `end` leaves no timer and no listener behind. */
export function startDeadline(
	milliseconds: number | undefined,
	caller: AbortSignal | undefined,
	late = () => new TimeoutError(milliseconds ?? 0),
) {
	const controller = new AbortController();
	const follow = () => controller.abort(caller?.reason);
	if (caller?.aborted) follow();
	caller?.addEventListener('abort', follow);
	const stop = () => controller.abort(late());
	const timer = milliseconds === undefined ? undefined : setTimeout(stop, milliseconds);
	const end = () => {
		clearTimeout(timer);
		caller?.removeEventListener('abort', follow);
	};
	return { signal: controller.signal, end };
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
