// Whether the console can be read at the moment.
import { RequestTimeoutError } from '../../errors/errors.ts';
import { isApiError } from '../../errors/guards.ts';
import { notify } from '../../http/attempts.ts';
import { quietTimer } from '../../http/signals.ts';
import type { ConsoleConnection } from './types.ts';

type Watcher = (connection: ConsoleConnection) => void;

/** A connection that is silent for longer is replaced, because it may be dead. */
const maxSilenceMs = { watched: 3_000, unwatched: 30_000 };

/** A connection that takes longer to open is reported as lost. */
const slowOpeningMs = 1_500;

/** How long a reader waits after its deadline for the rest of the output. */
export const graceMs = 2_000;

export class ConsoleHealth {
	readonly #watchers = new Set<Watcher>();
	readonly #onChange: () => void;
	#lost: { error: unknown; since: number } | undefined;
	/** Replaces the connection; undefined while none is open. */
	#replace: (() => void) | undefined;
	/** How many bytes from before the connection was opened are still missing. */
	#missing = 0;
	#heardAt = 0;
	#slow: ReturnType<typeof setTimeout> | undefined;

	constructor(onChange: () => void) {
		this.#onChange = onChange;
	}

	watch(watcher: Watcher | undefined) {
		if (!watcher) return () => {};
		const own: Watcher = (connection) => watcher(connection);
		this.#watchers.add(own);
		if (this.#lost) notify(own, lostConnection(this.#lost.error));
		return () => this.#watchers.delete(own);
	}

	get lostForMs() {
		return this.#lost ? performance.now() - this.#lost.since : 0;
	}

	get error() {
		return (
			this.#lost?.error ?? new RequestTimeoutError(graceMs, 'output or response of the console')
		);
	}

	/** Whether all output until that time was received. */
	isCurrentAt(time: number) {
		return this.#replace !== undefined && this.#missing <= 0 && this.#heardAt >= time;
	}

	get isTooSilent() {
		const { watched, unwatched } = maxSilenceMs;
		return performance.now() - this.#heardAt > (this.#watchers.size > 0 ? watched : unwatched);
	}

	confirm() {
		this.#replace?.();
	}

	opening() {
		const slow = new RequestTimeoutError(slowOpeningMs, 'response of the console');
		this.#slow = quietTimer(() => this.failed(slow), slowOpeningMs);
	}

	opened(missing: number, replace: () => void) {
		clearTimeout(this.#slow);
		this.#replace = replace;
		this.#missing = missing;
		this.received(0);
		const wasLost = this.#lost !== undefined;
		this.#lost = undefined;
		if (wasLost) this.#report({ connected: true });
		this.#onChange();
	}

	received(bytes: number) {
		this.#missing -= bytes;
		this.#heardAt = performance.now();
	}

	closed() {
		clearTimeout(this.#slow);
		this.#replace = undefined;
	}

	failed(error: unknown) {
		const before = this.#lost && lostConnection(this.#lost.error);
		const connection = lostConnection(error);
		this.#lost = { error, since: this.#lost?.since ?? performance.now() };
		if (connection.reason !== before?.reason) this.#report(connection);
		this.#onChange();
	}

	#report(connection: ConsoleConnection) {
		for (const watcher of this.#watchers) notify(watcher, connection);
	}
}

function lostConnection(error: unknown): ConsoleConnection {
	const reason = isApiError(error, 'rate_limited') ? 'rate_limited' : 'unreachable';
	return { connected: false, reason, error };
}
