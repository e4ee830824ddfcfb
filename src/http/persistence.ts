// Waiting: after failures and aborts, and through temporary failures.

import { BoardAccessError } from '../errors/base.ts';
import { ApiError, ConnectionError, ResponseError, TimeoutError } from '../errors/errors.ts';
import { pause } from './deadline.ts';
import { lastingFailures, waitAfter } from './retry.ts';

const shortPauseMs = 250;

/** How long to wait after a number of failures in a row, of which this is the last. */
export function waitFor(error: unknown, failures: number) {
	return error instanceof BoardAccessError ? waitAfter(error, failures) : shortPauseMs;
}

/** Waits after a number of failures in a row, or for as long as the last one asks for. */
export async function pauseAfter(error: unknown, failures: number, signal: AbortSignal) {
	await pause(waitFor(error, failures), signal);
}

/** Whether a failure may be temporary. Its outcome does not matter: the work can be repeated. */
export function isTemporary(error: unknown): error is BoardAccessError {
	if (error instanceof ApiError) return error.status >= 500 || [408, 429].includes(error.status);
	return (
		error instanceof TimeoutError ||
		error instanceof ResponseError || // a page of a proxy
		(error instanceof ConnectionError && !lastingFailures.includes(error.code))
	);
}

/** How long to go on without a response. */
const patience = 60_000;

interface Persistence {
	until?: () => number;
	signal: AbortSignal;
	repeats?: (error: unknown) => boolean;
}

/** Repeats the work while it fails for temporary reasons: for a minute, and until the deadline. */
export async function persistently<Result>(
	work: () => Promise<Result>,
	{ until = () => 0, signal, repeats = isTemporary }: Persistence,
) {
	let giveUpAt = 0;
	for (let failures = 1; ; failures++) {
		try {
			return await work();
		} catch (error) {
			const now = performance.now();
			if (failures === 1) giveUpAt = now + patience;
			if (signal.aborted || !repeats(error) || now >= Math.max(giveUpAt, until())) throw error;
			await pauseAfter(error, failures, signal);
		}
	}
}

/** A timer that does not keep the process alive. */
export function quietTimer(callback: () => void, milliseconds: number) {
	const timer = setTimeout(callback, milliseconds);
	if (typeof timer === 'object') timer.unref(); // in browsers, a timer is a number
	return timer;
}

/** A signal that follows several others until it is detached. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]) {
	const controller = new AbortController();
	const detach = () => {
		for (const signal of signals) signal?.removeEventListener('abort', follow);
	};
	const abort = (reason: unknown) => {
		detach();
		controller.abort(reason);
	};
	const follow = () => abort(signals.find((signal) => signal?.aborted)?.reason);
	for (const signal of signals) signal?.addEventListener('abort', follow);
	if (signals.some((signal) => signal?.aborted)) follow();
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
