// The attempts of one request: reported to observers, and kept for the final error.

import { BoardAccessError } from '../errors/base.ts';
import type { Attempt, Outcome } from '../errors/details.ts';
import { defined } from '../records/defined.ts';
import type { ResponseHead } from './fetch.ts';
import { requestIdOf } from './response.ts';

/** Receives each attempt; what it throws or rejects with is ignored. */
export type Observer = (attempt: Attempt) => unknown;

/** How an attempt ended. */
interface Ending {
	startedAt: number;
	response: ResponseHead | undefined;
	error?: unknown;
	retryInMs?: number | undefined;
}

/** The request that the attempts belong to. */
type Request = Pick<Attempt, 'method' | 'path' | 'route'>;

export function createAttempts(request: Request, observers: readonly Observer[]) {
	const attempts: Attempt[] = [];
	let outcome: Outcome = 'not-sent';
	return {
		attempts,
		addAttempt({ startedAt, response, error, retryInMs }: Ending) {
			const known = error instanceof BoardAccessError;
			const attempt: Attempt = {
				...request,
				attempt: attempts.length + 1,
				durationMs: performance.now() - startedAt,
				...defined({
					status: response?.status,
					requestId: response && requestIdOf(response),
					retryInMs,
				}),
				...(error !== undefined && { error: known ? error.code : 'aborted' }),
			};
			attempts.push(attempt);
			if (known) outcome = worse(outcome, error.outcome);
			for (const observer of observers) notify(observer, attempt);
		},
		attachAttempts(error: unknown) {
			if (!(error instanceof BoardAccessError)) return;
			error.attempts = attempts;
			const known = worse(outcome, error.outcome);
			// A request that only reads changes nothing, whatever its outcome is.
			error.outcome = request.method === 'GET' && known === 'unknown' ? 'rejected' : known;
		},
	};
}

/** Calls an observer. An error of it, at once or later, must not break what it observes. */
export async function notify<Value>(
	observer: ((value: Value) => unknown) | undefined,
	value: Value,
) {
	try {
		await observer?.(value);
	} catch {
		// see above
	}
}

/** `unknown` if any attempt is unknown; an attempt that was never sent does not change a rejection. */
function worse(one: Outcome, other: Outcome): Outcome {
	if (one === 'unknown' || other === 'unknown') return 'unknown';
	return one === 'rejected' ? one : other;
}
