// Whether the console can be read at the moment, as one connection after the other shows it.
import { RequestTimeoutError } from '../../errors/errors.ts';
import { isApiError } from '../../errors/guards.ts';
import { notify } from '../../http/attempts.ts';
import { quietTimer } from '../../http/signals.ts';
import type { ConsoleConnection } from './types.ts';

type Watcher = (connection: ConsoleConnection) => void;

/** A broken connection is as silent as a quiet board: after this time another one is opened. */
const maxSilenceMs = { watched: 3_000, unwatched: 30_000 };

/** A connection that takes longer to open is reported as lost, and waited for nevertheless. */
const slowOpeningMs = 1_500;

/** After its time, a reader waits so long for a sign that it has seen everything. */
export const graceMs = 2_000;

export class ConsoleHealth {
	readonly #watchers = new Set<Watcher>();
	/** Called when the console can be read again, and when it no longer can. */
	readonly #onChange: () => void;
	#lost: { error: unknown; since: number } | undefined;
	/** Closes the connection, so that another one is opened; undefined while none is open. */
	#replace: (() => void) | undefined;
	/** How many bytes the console had when the connection was opened, and are still on their way. */
	#missing = 0;
	#heardAt = 0;
	#slow: ReturnType<typeof setTimeout> | undefined;

	constructor(onChange: () => void) {
		this.#onChange = onChange;
	}

	/** Returns a function that ends the watching. */
	watch(watcher: Watcher | undefined) {
		if (!watcher) return () => {};
		const own: Watcher = (connection) => watcher(connection);
		this.#watchers.add(own);
		if (this.#lost) notify(own, lostConnection(this.#lost.error));
		return () => this.#watchers.delete(own);
	}

	/** How long the console has not been readable, in milliseconds. */
	get lostForMs() {
		return this.#lost ? performance.now() - this.#lost.since : 0;
	}

	/** Why the console cannot be read, as far as it is known. */
	get error() {
		return (
			this.#lost?.error ?? new RequestTimeoutError(graceMs, 'output or response of the console')
		);
	}

	/** Whether all was received that the console had shown at that time. */
	isCurrentAt(time: number) {
		return this.#replace !== undefined && this.#missing <= 0 && this.#heardAt >= time;
	}

	/** Whether the connection should be replaced. */
	get isTooSilent() {
		const { watched, unwatched } = maxSilenceMs;
		return performance.now() - this.#heardAt > (this.#watchers.size > 0 ? watched : unwatched);
	}

	/** Replaces a connection, which may be broken without a sign of it. */
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
