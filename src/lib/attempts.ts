// The attempts of one request: reported to observers, and kept for the final error.
import type { Attempt, Outcome } from '../error-details.ts';
import { BoardAccessError } from '../errors.ts';
import { defined } from './defined.ts';
import type { Redact } from './redact.ts';
import { requestIdOf } from './response.ts';

/** Receives each attempt; what it throws or rejects with is ignored. */
export type Observer = (attempt: Attempt) => unknown;

/** How an attempt ended. */
interface Ending {
	startedAt: number;
	response: { status: number; headers: Headers; redact?: Redact } | undefined;
	error?: unknown;
	retryInMs?: number | undefined;
}

export class Attempts {
	readonly #method: string;
	readonly #path: string;
	readonly #observers: readonly Observer[];
	readonly #attempts: Attempt[] = [];
	#outcome: Outcome = 'not-sent';

	constructor(method: string, path: string, observers: readonly Observer[]) {
		this.#method = method;
		this.#path = path;
		this.#observers = observers;
	}

	get length() {
		return this.#attempts.length;
	}

	add({ startedAt, response, error, retryInMs }: Ending) {
		// A success matters to observers only; most clients have none.
		if (error === undefined && this.#observers.length === 0) return;
		const known = error instanceof BoardAccessError;
		const attempt: Attempt = {
			method: this.#method,
			path: this.#path,
			attempt: this.length + 1,
			durationMs: performance.now() - startedAt,
			...defined({
				status: response?.status,
				requestId: response && requestIdOf(response),
				retryInMs,
			}),
			...(error !== undefined && { error: known ? error.code : 'aborted' }),
		};
		this.#attempts.push(attempt);
		if (known) this.#outcome = worse(this.#outcome, error.outcome);
		for (const observer of this.#observers) notify(observer, attempt);
	}

	attachTo(error: unknown) {
		if (!(error instanceof BoardAccessError)) return;
		error.attempts = this.#attempts;
		error.outcome = worse(this.#outcome, error.outcome);
	}
}

/** An observer that fails, at once or later, must not break the request. */
function notify(observer: Observer, attempt: Attempt) {
	try {
		const result = observer(attempt);
		if (typeof result === 'object' && result !== null) Promise.resolve(result).catch(() => {});
	} catch {
		// see above
	}
}

/** `unknown` if any attempt is unknown; an attempt that was never sent does not change a rejection. */
function worse(one: Outcome, other: Outcome): Outcome {
	if (one === 'unknown' || other === 'unknown') return 'unknown';
	return one === 'rejected' ? one : other;
}
