// The one connection of a lease to its console, shared by all who read at about the same offset.

import { abortable, quietTimer } from '../../http/signals.ts';
import { joinBytes } from '../../records/join-bytes.ts';
import type { TrackedLease } from '../tracked-lease.ts';
import type { ConsoleOptions } from '../types.ts';
import { ConsoleHealth, graceMs } from './health.ts';
import { type ConsoleChunk, consoleChunks } from './stream.ts';

/** How long the connection is kept for the next reader. */
const lingerMs = 500;

/** How much is kept for readers that are behind. */
const mostBytes = 1024 * 1024 + 256 * 1024;

/** Chunks are joined up to this size, so that few have to be searched. */
const chunkSize = 16 * 1024;

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
	readonly #lease: TrackedLease;
	/** Resolved and replaced whenever readers have to look again. */
	#changed = Promise.withResolvers<void>();
	#chunks: ConsoleChunk[] = [];
	/** The offsets of the first byte that is kept, and of the one that comes next. */
	#start = 0;
	#next = 0;
	#readers = 0;
	#run: Run | undefined;
	#linger: ReturnType<typeof setTimeout> | undefined;

	constructor(lease: TrackedLease) {
		this.#lease = lease;
	}

	/** Ends with the console, or at the deadline; throws if the console could not be read until then. */
	async *read(options: FeedOptions): AsyncGenerator<ConsoleChunk, void, undefined> {
		const { from = 0, signal, deadline, onConnection } = options;
		signal?.throwIfAborted();
		const run = this.#join(from);
		if (!run) return yield* new ConsoleFeed(this.#lease).read(options);
		const unwatch = run.health.watch(onConnection);
		const grace = this.#graceAfter(deadline, run.health);
		let next = from;
		try {
			while (next >= this.#start) {
				const chunk = this.#chunkAt(next);
				if (chunk) {
					next = chunk.next;
					yield chunk;
				} else if (run.end) {
					if (!('error' in run.end)) return;
					throw this.#lease.over.aborted ? this.#lease.endedError() : run.end.error;
				} else if (run.health.isCurrentAt(grace.since)) return;
				else if (grace.isOver) throw run.health.error;
				else await abortable(this.#changed.promise, signal);
			}
		} finally {
			grace.end();
			unwatch();
			this.#leave();
		}
		// It was too slow for what is kept here.
		yield* this.read({ ...options, from: next });
	}

	/** Shares the connection; undefined if it reads far from the offset. */
	#join(from: number): Run | undefined {
		const isKept = from >= this.#start && from <= this.#next;
		if (!this.#run || this.#run.end) {
			if (!isKept) [this.#chunks, this.#start, this.#next] = [[], from, from];
			const health = new ConsoleHealth(() => this.#announce());
			this.#run = { stop: new AbortController(), health };
			const { signal } = this.#run.stop;
			const onEnd = () => this.#stopUnread();
			this.#lease.over.addEventListener('abort', onEnd, { once: true, signal });
			void this.#follow(this.#run);
		} else if (!isKept) return undefined;
		clearTimeout(this.#linger);
		this.#readers++;
		return this.#run;
	}

	#leave() {
		this.#readers--;
		if (this.#lease.over.aborted) this.#stopUnread();
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
			const reading = { position: { next: this.#next }, signal, health };
			for await (const chunk of consoleChunks(this.#lease, reading)) {
				if (signal.aborted) break;
				this.#keep(chunk);
				this.#announce();
			}
			run.end = {};
		} catch (error) {
			run.end = { error };
		}
		stop.abort(); // also removes the listener
		this.#announce();
	}

	#keep({ bytes, next }: ConsoleChunk) {
		const start = next - bytes.length;
		// The service has less than was requested, so its console begins there.
		if (start < this.#next) [this.#chunks, this.#start] = [[], start];
		const last = this.#chunks.at(-1);
		if (last?.next === start && last.bytes.length + bytes.length <= chunkSize) {
			this.#chunks.splice(-1, 1, { bytes: joinBytes([last.bytes, bytes]), next });
		} else this.#chunks.push({ bytes, next });
		this.#next = next;
		this.#forget();
	}

	#forget() {
		let size = this.#chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
		while (size > mostBytes) {
			const oldest = this.#chunks.shift();
			size -= oldest?.bytes.length ?? size;
			this.#start = oldest?.next ?? this.#next;
		}
	}

	#chunkAt(position: number): ConsoleChunk | undefined {
		const from = position > this.#next ? this.#start : position;
		const chunk = this.#chunks.find(({ next }) => next > from);
		if (!chunk) return undefined;
		const { bytes, next } = chunk;
		return { bytes: bytes.slice(Math.max(0, from - next + bytes.length)), next };
	}

	/** Begins at the deadline, when the connection is replaced by one that can be trusted. */
	#graceAfter(deadline: AbortSignal | undefined, health: ConsoleHealth) {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const begin = () => {
			grace.since = performance.now();
			health.confirm();
			timer = quietTimer(() => {
				grace.isOver = true;
				this.#announce();
			}, graceMs);
			this.#announce();
		};
		const end = () => {
			clearTimeout(timer);
			deadline?.removeEventListener('abort', begin);
		};
		const grace = { since: Number.POSITIVE_INFINITY, isOver: false, end };
		if (deadline?.aborted) begin();
		deadline?.addEventListener('abort', begin, { once: true });
		return grace;
	}

	#announce() {
		this.#changed.resolve();
		this.#changed = Promise.withResolvers<void>();
	}
}
