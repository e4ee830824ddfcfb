// What several parts of a lease use.
import { BoardAccessError } from '../errors/base.ts';
import { invalidResponse } from '../errors/errors.ts';
import { followSignals } from '../http/signals.ts';
import { type OwnRules, readWorkOptions } from '../settings/option-rules.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';

export type Limits = Pick<RequestOptions, 'signal' | 'timeout'>;

export type Shared = Pick<RequestOptions, 'headers'> & { signal: AbortSignal };

/** A signal that joins other signals and a time limit. Checks the options first. */
export function joinLimits<Options extends Limits>(
	options: Options,
	own?: OwnRules<Options>,
	other?: AbortSignal,
) {
	const { signal, timeout } = readWorkOptions<Limits>(options, own);
	signal?.throwIfAborted();
	return followSignals([signal, other], { milliseconds: timeout });
}

export function mayBeDone(error: unknown) {
	return !(error instanceof BoardAccessError) || error.outcome === 'unknown';
}

export function offsetIn(headers: Headers) {
	const offset = headers.get('x-console-offset') ?? '';
	if (/^\d{1,15}$/.test(offset)) return Number(offset);
	throw invalidResponse('The response is not of the console');
}

/** Options of a request that the service carries out once, even if it arrives twice. */
export function once(options?: CreateOptions): CreateOptions {
	return { idempotencyKey: uniqueKey(), ...options };
}

/** A key for one request; `crypto.randomUUID` is missing on pages without TLS. */
export function uniqueKey() {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
