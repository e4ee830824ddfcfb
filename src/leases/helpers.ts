// Shared lease helpers.

import { BoardAccessError } from '../errors/base.ts';
import { InputError, invalidResponse } from '../errors/errors.ts';
import { followSignals, longestTimeout } from '../http/signals.ts';
import type { RequestOptions } from '../settings/settings.ts';

/** What can end work early. */
export type Limits = Pick<RequestOptions, 'signal' | 'timeout'>;

/** Joins the signals with the time limit, which is checked before anything is left behind. */
export function joinLimits({ signal, timeout }: Limits, ...others: readonly AbortSignal[]) {
	checkTimeout(timeout);
	signal?.throwIfAborted();
	return followSignals([signal, ...others], { milliseconds: timeout });
}

export function checkTimeout(timeout: number | undefined) {
	if (timeout === undefined || (timeout >= 1 && timeout <= longestTimeout)) return;
	throw new InputError([
		{ path: 'timeout', message: `must be a number from 1 to ${longestTimeout}` },
	]);
}

/** Whether a request with this error may have been carried out. */
export function mayBeDone(error: unknown) {
	return !(error instanceof BoardAccessError) || error.outcome === 'unknown';
}

/** The offset on the console that a response names. Without one, it is not of the service. */
export function offsetIn(headers: Headers) {
	const offset = headers.get('x-console-offset') ?? '';
	if (/^\d{1,15}$/.test(offset)) return Number(offset);
	throw invalidResponse('The response is not of the console');
}

/** A key for one request; `crypto.randomUUID` is missing on pages without TLS. */
export function uniqueKey() {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
