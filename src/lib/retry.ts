// Decides whether a failed try is worth another one, and when.
import { ApiError, type BoardAccessError, ConnectionError } from '../errors.ts';

const firstWaitMs = 500;
const longestWaitMs = 8_000;

/** Whether a call that failed so may be tried again. `repeatable`: doing it twice does no harm. */
export function isWorthRetrying(error: BoardAccessError, repeatable: boolean) {
	return wasNotProcessed(error) || (repeatable && isTransient(error));
}

/** Milliseconds to wait after try number `attempt`: what the service asks for, else full jitter. */
export function waitAfter(error: BoardAccessError, attempt: number) {
	const asked =
		error instanceof ApiError && error.retryAt ? error.retryAt.getTime() - Date.now() : 0;
	return asked > 0
		? asked
		: Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
}

/** The moment that a `Retry-After` header names, in seconds from now or as a date. */
export function retryMoment(header: string | null) {
	if (header === null) return undefined;
	if (/^\d{1,9}$/.test(header)) return new Date(Date.now() + Number(header) * 1000);
	const moment = /^[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
	return Number.isNaN(moment) ? undefined : new Date(moment);
}

/** The service did not take the request up, so that any method can be sent again. */
function wasNotProcessed(error: BoardAccessError) {
	return error instanceof ApiError
		? error.status === 429 || error.status === 503
		: error instanceof ConnectionError &&
				error.outcome === 'not-sent' &&
				!['tls_failed', 'port_blocked'].includes(error.code);
}

/** It may have been carried out: only what can be done twice is sent again. */
function isTransient(error: BoardAccessError) {
	return error instanceof ApiError
		? [408, 500, 502, 504].includes(error.status)
		: error instanceof ConnectionError && error.outcome === 'unknown';
}
