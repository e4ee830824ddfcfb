// Repeats work through temporary failures.

import { BoardAccessError } from '../errors/base.ts';
import { ApiError, ConnectionError, RequestTimeoutError, ResponseError } from '../errors/errors.ts';
import { lastingFailures, waitAfter } from './retry.ts';
import { pause } from './signals.ts';

const shortPauseMs = 250;

const usualPatienceMs = 60_000;

/** The time from one request for a change to the next, unless the service waits longer. */
const minWaitMs = 1_000;

/** Starts a wait for a change. The returned function pauses for what is left of it, if the service did not wait. */
export function startWait(signal: AbortSignal, minMs = minWaitMs) {
	const end = performance.now() + minMs;
	return async () => {
		const early = end - performance.now();
		if (early > 0) await pause(early, signal);
	};
}

/** How long to wait after a number of failures in a row, of which this is the last. */
export function waitFor(error: unknown, failures: number) {
	return error instanceof BoardAccessError ? waitAfter(error, failures) : shortPauseMs;
}

/** Whether a failure may be temporary. Its outcome does not matter: the work can be repeated. */
export function isTemporary(error: unknown): error is BoardAccessError {
	if (error instanceof ApiError) return error.status >= 500 || [408, 429].includes(error.status);
	return (
		error instanceof RequestTimeoutError ||
		error instanceof ResponseError || // a page of a proxy
		(error instanceof ConnectionError && !lastingFailures.includes(error.code))
	);
}

interface Persistence {
	until?: () => number;
	/** How long to go on without a response. */
	patienceMs?: number | undefined;
	/** Called with each failure. */
	onFailure?: (error: unknown) => void;
	signal: AbortSignal;
	repeats?: (error: unknown) => boolean;
}

/** Repeats the work while it fails for temporary reasons: for a minute by default, and until the deadline. */
export async function persistently<Result>(
	work: () => Promise<Result>,
	{
		until = () => 0,
		patienceMs = usualPatienceMs,
		onFailure,
		signal,
		repeats = isTemporary,
	}: Persistence,
) {
	let giveUpAt = 0;
	for (let failures = 1; ; failures++) {
		try {
			return await work();
		} catch (error) {
			const now = performance.now();
			if (failures === 1) giveUpAt = now + patienceMs;
			if (signal.aborted || !repeats(error) || now >= Math.max(giveUpAt, until())) throw error;
			onFailure?.(error);
			await pause(waitFor(error, failures), signal);
		}
	}
}
