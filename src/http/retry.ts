// Decides whether a failed attempt is retried, and when.

import type { BoardAccessError } from '../errors/base.ts';
import { ApiError, ConnectionError, RequestTimeoutError } from '../errors/errors.ts';

const firstWaitMs = 500;
const maxWaitMs = 8_000;

/** Connection failures that a retry cannot fix. */
export const lastingFailures: readonly string[] = [
	'tls_failed',
	'port_blocked',
	'request_not_sent',
];

/** Whether to retry after this error. `repeatable`: carrying the request out twice does no harm. */
export function isWorthRetrying(error: BoardAccessError, repeatable: boolean) {
	return wasNotProcessed(error) || (repeatable && isTransient(error));
}

/** Milliseconds to wait after this attempt: what the response asks for, otherwise with jitter. */
export function waitAfter(error: BoardAccessError, attempt: number) {
	const { status, retryAt } = error as Partial<ApiError>; // other errors have none
	const requested = retryAt ? retryAt.getTime() - Date.now() : 0;
	if (requested > 0 && status === 429) return requested;
	// An outage may end before the time that a proxy names.
	const wait =
		requested > 0 ? requested : firstWaitMs * 2 ** (attempt - 1) * (1 + Math.random() / 2);
	return Math.min(maxWaitMs, wait);
}

/** The time that a `Retry-After` header names, in seconds from now or as a date. */
export function retryMoment(header: string | null) {
	if (header === null) return undefined;
	if (/^\d{1,9}$/.test(header)) return new Date(Date.now() + Number(header) * 1000);
	const moment = /^[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
	return Number.isNaN(moment) ? undefined : new Date(moment);
}

/** The service did not process the request, so any method can be retried. */
function wasNotProcessed(error: BoardAccessError) {
	return error instanceof ApiError
		? error.status === 429 || error.code === 'unavailable'
		: error instanceof ConnectionError &&
				error.outcome === 'not-sent' &&
				!lastingFailures.includes(error.code);
}

/** It may have been carried out, so only what can be repeated is retried. */
function isTransient(error: BoardAccessError) {
	if (error.outcome !== 'unknown') return false;
	// A 409 with an unknown outcome: an earlier attempt with the same idempotency key is still running.
	return error instanceof ApiError
		? [408, 409, 500, 502, 503, 504].includes(error.status)
		: error instanceof ConnectionError || error instanceof RequestTimeoutError;
}
