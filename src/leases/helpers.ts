// Shared lease helpers.

import { BoardAccessError } from '../errors/base.ts';
import { invalidResponse } from '../errors/errors.ts';
import { followSignals } from '../http/signals.ts';
import { type OwnRules, readWorkOptions } from '../settings/option-rules.ts';
import type { RequestOptions } from '../settings/settings.ts';

/** What can end work early. */
export type Limits = Pick<RequestOptions, 'signal' | 'timeout'>;

/** What all requests of some work have in common. */
export type Shared = Pick<RequestOptions, 'headers'> & { signal: AbortSignal };

/** Joins the signals with the time limit. The options are checked before anything is left behind. */
export function joinLimits<Options extends Limits>(
	options: Options,
	own?: OwnRules<Options>,
	other?: AbortSignal,
) {
	const { signal, timeout } = readWorkOptions<Limits>(options, own);
	signal?.throwIfAborted();
	return followSignals([signal, other], { milliseconds: timeout });
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
