// The one connection of a lease to its console, shared by all who read at about the same place.

import { abortable } from '../../http/deadline.ts';
import { quietTimer } from '../../http/persistence.ts';
import { joinBytes } from '../../records/join-bytes.ts';
import type { LeaseSession } from '../session.ts';
import type { ConsoleOptions } from '../types.ts';
import type { ConsolePiece } from './connection.ts';
import { ConsoleHealth, graceMs } from './health.ts';
import { consolePieces } from './stream.ts';

/** How long the connection is kept for the next reader. */
const lingerMs = 500;

/** How much is kept for readers that are behind. */
const mostBytes = 1024 * 1024 + 256 * 1024;

/** Pieces are joined up to this size, so that few have to be searched. */
const pieceSize = 16 * 1024;

interface FeedOptions extends ConsoleOptions {
	/** Ends the reading once all that was shown until then was read. */
	deadline?: AbortSignal | undefined;
}

interface Run {
	stop: AbortController;
	health: ConsoleHealth;
	/** How it ended, for all who read it. */
	end?: { error?: unknown };
}

export class ConsoleFeed {
	readonly #session: LeaseSession;
	readonly #waiting = new Set<() => void>();
	#pieces: ConsolePiece[] = [];
	/** The offsets of the first byte that is kept, and of the one that comes next. */
	#start = 0;
	#next = 0;
	#readers = 0;
	#run: Run | undefined;
	#linger: ReturnType<typeof setTimeout> | undefined;

	constructor(session: LeaseSession) {
		this.#session = session;
	}

	/** Ends with the console, or at the deadline; throws if the console could not be read until then. */
	async *read(options: FeedOptions): AsyncGenerator<ConsolePiece, void, undefined> {
		const { from = 0, signal, deadline, onConnection } = options;
		signal?.throwIfAborted();
		const run = this.#join(from);
		if (!run) return yield* new ConsoleFeed(this.#session).read(options);
		const unwatch = run.health.watch(onConnection);
		const grace = this.#graceAfter(deadline, run.health);
		let next = from;
		try {
			while (next >= this.#start) {
				const piece = this.#pieceAt(next);
				if (piece) {
					next = piece.next;
					yield piece;
				} else if (run.end) return this.#throwAny(run.end);
				else if (run.health.isCurrentAt(grace.since())) return;
				else if (grace.isOver()) throw run.health.error;
				else await this.#change(signal);
			}
		} finally {
			grace.end();
			unwatch();
			this.#leave();
		}
		// It was too slow for what is kept here.
		yield* this.read({ ...options, from: next });
	}

	/** Shares the connection; undefined if it is at another place of the console. */
	#join(from: number): Run | undefined {
		const isKept = from >= this.#start && from <= this.#next;
		if (!this.#run || this.#run.end) {
			if (!isKept) [this.#pieces, this.#start, this.#next] = [[], from, from];
			this.#run = { stop: new AbortController(), health: new ConsoleHealth() };
			this.#run.health.onChange = () => this.#announce();
			const { signal } = this.#run.stop;
			this.#session.over.addEventListener('abort', () => this.#stopUnread(), {
				once: true,
				signal,
			});
			void this.#follow(this.#run);
		} else if (!isKept) return undefined;
		clearTimeout(this.#linger);
		this.#readers++;
		return this.#run;
	}

	#leave() {
		this.#readers--;
		if (this.#session.over.aborted) this.#stopUnread();
		else if (this.#readers === 0) {
			this.#linger = quietTimer(() => this.#stopUnread(), lingerMs);
		}
	}

	#stopUnread() {
		if (this.#readers > 0) return;
		clearTimeout(this.#linger);
		this.#run?.stop.abort(new Error('The console is no longer read'));
		this.#run = undefined;
	}

	async #follow(run: Run) {
		const { health, stop } = run;
		const { signal } = stop;
		try {
			const reading = { from: this.#next, signal, health };
			for await (const piece of consolePieces(this.#session, reading)) {
				if (signal.aborted) break;
				this.#keep(piece);
				this.#announce();
			}
			run.end = {};
		} catch (error) {
			run.end = { error };
		}
		stop.abort(); // also removes the listener
		this.#announce();
	}

	#keep({ bytes, next }: ConsolePiece) {
		const start = next - bytes.length;
		// The service has less than was asked for, so its console begins there.
		if (start < this.#next) [this.#pieces, this.#start] = [[], start];
		const last = this.#pieces.at(-1);
		if (last?.next === start && last.bytes.length + bytes.length <= pieceSize) {
			this.#pieces.splice(-1, 1, { bytes: joinBytes([last.bytes, bytes]), next });
		} else this.#pieces.push({ bytes, next });
		this.#next = next;
		this.#forget();
	}

	#forget() {
		let size = this.#pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
		while (size > mostBytes) {
			const oldest = this.#pieces.shift();
			size -= oldest?.bytes.length ?? size;
			this.#start = oldest?.next ?? this.#next;
		}
	}

	#pieceAt(position: number): ConsolePiece | undefined {
		const from = position > this.#next ? this.#start : position;
		const piece = this.#pieces.find(({ next }) => next > from);
		if (!piece) return undefined;
		const { bytes, next } = piece;
		return { bytes: bytes.slice(Math.max(0, from - next + bytes.length)), next };
	}

	#throwAny(end: { error?: unknown }) {
		if (!('error' in end)) return;
		throw this.#session.over.aborted ? this.#session.endedError() : end.error;
	}

	/** Begins at the deadline, when the connection is replaced by one that can be trusted. */
	#graceAfter(deadline: AbortSignal | undefined, health: ConsoleHealth) {
		let since = Number.POSITIVE_INFINITY;
		let isOver = false;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const begin = () => {
			since = performance.now();
			health.confirm();
			timer = quietTimer(() => {
				isOver = true;
				this.#announce();
			}, graceMs);
			this.#announce();
		};
		if (deadline?.aborted) begin();
		deadline?.addEventListener('abort', begin, { once: true });
		return {
			since: () => since,
			isOver: () => isOver,
			end: () => {
				clearTimeout(timer);
				deadline?.removeEventListener('abort', begin);
			},
		};
	}

	async #change(signal: AbortSignal | undefined) {
		let onChange = () => {};
		const changed = new Promise<void>((resolve) => {
			onChange = resolve;
		});
		this.#waiting.add(onChange);
		try {
			await abortable(changed, signal);
		} finally {
			this.#waiting.delete(onChange);
		}
	}

	#announce() {
		for (const onChange of this.#waiting) onChange();
	}
}
