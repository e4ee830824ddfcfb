// The tries of one call: told to whoever watches, and kept for the error at its end.
import { type Attempt, BoardAccessError, type Outcome } from '../errors.ts';
import { requestIdOf } from './response.ts';
import type { ReceivedResponse } from './send.ts';

/** How a try ended. */
interface Ending {
	startedAt: number;
	answer: ReceivedResponse | undefined;
	error?: unknown;
	retryInMs?: number | undefined;
}

export class Attempts {
	readonly #method: string;
	readonly #path: string;
	readonly #onAttempt: ((attempt: Attempt) => void) | undefined;
	readonly #attempts: Attempt[] = [];
	#outcome: Outcome = 'not-sent';

	constructor(method: string, path: string, onAttempt: ((attempt: Attempt) => void) | undefined) {
		this.#method = method;
		this.#path = path;
		this.#onAttempt = onAttempt;
	}

	get length() {
		return this.#attempts.length;
	}

	add({ startedAt, answer, error, retryInMs }: Ending) {
		const known = error instanceof BoardAccessError;
		const requestId = answer && requestIdOf(answer.headers);
		const attempt: Attempt = {
			method: this.#method,
			path: this.#path,
			attempt: this.length + 1,
			durationMs: performance.now() - startedAt,
			...(answer && { status: answer.status }),
			...(requestId !== undefined && { requestId }),
			...(error !== undefined && { error: known ? error.code : 'aborted' }),
			...(retryInMs !== undefined && { retryInMs }),
		};
		this.#attempts.push(attempt);
		if (known) this.#outcome = worse(this.#outcome, error.outcome);
		try {
			this.#onAttempt?.(attempt);
		} catch {
			// Watching a call must not break it.
		}
	}

	attachTo(error: unknown) {
		if (!(error instanceof BoardAccessError)) return;
		error.attempts = this.#attempts;
		error.outcome = worse(this.#outcome, error.outcome);
	}
}

/** One unknown makes the whole unknown; what never left does not weaken what was refused. */
function worse(one: Outcome, other: Outcome): Outcome {
	if (one === 'unknown' || other === 'unknown') return 'unknown';
	return one === 'rejected' ? one : other;
}
