// The connection to the console of a lease, which readers at about the same offset share.
import { joinBytes } from '../../contract/channel/bytes.ts';
import { abortable, quietTimer } from '../../http/signals.ts';
import type { RequestOptions } from '../../settings/settings.ts';
import type { TrackedLease } from '../tracked-lease.ts';
import { ConsoleHealth, graceMs } from './health.ts';
import { type ConsoleChunk, consoleChunks } from './stream.ts';
import type { ConsoleOptions } from './types.ts';

const lingerMs = 500;

/** How much is kept for slow readers: more than the service keeps. */
const maxBytes = 1024 * 1024 + 256 * 1024;

/** Chunks are joined up to this size, so that few have to be searched. */
const chunkSize = 16 * 1024;

interface FeedOptions extends ConsoleOptions {
	/** Reading ends once all output until then was read. */
	deadline?: AbortSignal | undefined;
}

/** When the output from an offset on was received. */
interface Arrival {
	offset: number;
	time: number;
}

export interface ReceivedChunk extends ConsoleChunk {
	/** In order; those after the chunk do not matter. */
	arrivals: Arrival[];
}

export function receivedAt({ arrivals }: ReceivedChunk, offset: number) {
	return new Date(arrivals.findLast((each) => each.offset <= offset)?.time ?? Date.now());
}

interface Run {
	stop: AbortController;
	health: ConsoleHealth;
	end?: { error?: unknown };
}

export class ConsoleFeed {
	readonly #lease: TrackedLease;
	readonly #headers: RequestOptions['headers'];
	/** Resolved and replaced with each change. */
	#changed = Promise.withResolvers<void>();
	#chunks: ReceivedChunk[] = [];
	/** The offsets of the first byte that is kept, and of the next one. */
	#start = 0;
	#next = 0;
	#readers = 0;
	#run: Run | undefined;
	#linger: ReturnType<typeof setTimeout> | undefined;

	constructor(lease: TrackedLease, headers?: RequestOptions['headers']) {
		this.#lease = lease;
		this.#headers = headers;
	}

	/** Ends with the console or at the deadline. Throws if the console could not be read until then. */
	async *read(options: FeedOptions): AsyncGenerator<ReceivedChunk, void, undefined> {
		const { headers } = options;
		// Readers with other headers do not share a connection.
		if (headers !== this.#headers)
			return yield* new ConsoleFeed(this.#lease, headers).read(options);
		for (let from: number | undefined = options.from ?? 0; from !== undefined; ) {
			const feed: ConsoleFeed = this.#canRead(from) ? this : new ConsoleFeed(this.#lease, headers);
			from = yield* feed.#readAs(this, { ...options, from });
		}
	}

	/** Returns where to continue if this feed has dropped the output, or the shared feed has it. */
	async *#readAs(
		shared: ConsoleFeed,
		{ from, signal, deadline, onConnection }: FeedOptions & { from: number },
	): AsyncGenerator<ReceivedChunk, number | undefined, undefined> {
		signal?.throwIfAborted();
		const run = this.#join(from);
		const unwatch = run.health.watch(onConnection);
		const grace = this.#graceAfter(deadline, run.health);
		let next = from;
		try {
			while (next >= this.#start) {
				const position = next > this.#next ? this.#start : next;
				const isOwn = shared !== this && run.health.lostForMs === 0;
				if (isOwn && shared.#canRead(position)) return position;
				const chunk = this.#chunkAt(position);
				if (chunk) {
					next = chunk.next;
					yield chunk;
				} else if (run.end) {
					if (!('error' in run.end)) return undefined;
					throw this.#lease.over.aborted ? this.#lease.endedError() : run.end.error;
				} else if (run.health.isCurrentAt(grace.since)) return undefined;
				else if (grace.isOver) throw run.health.error;
				else await abortable(this.#changed.promise, signal);
			}
			return next;
		} finally {
			grace.end();
			unwatch();
			this.#leave();
			if (shared !== this) this.#stopUnread();
		}
	}

	#keeps(offset: number) {
		return offset >= this.#start && offset <= this.#next;
	}

	/** Whether a reader can begin there without taking the connection from others. */
	#canRead(from: number) {
		return this.#readers === 0 || this.#keeps(from);
	}

	#join(from: number): Run {
		clearTimeout(this.#linger);
		if (!this.#keeps(from)) {
			this.#stopUnread();
			[this.#chunks, this.#start, this.#next] = [[], from, from];
		}
		if (!this.#run || this.#run.end) this.#run = this.#begin();
		this.#readers++;
		return this.#run;
	}

	#begin(): Run {
		const stop = new AbortController();
		const run = { stop, health: new ConsoleHealth(() => this.#announce()) };
		const onEnd = () => this.#stopUnread();
		this.#lease.over.addEventListener('abort', onEnd, { once: true, signal: stop.signal });
		void this.#follow(run);
		return run;
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
			const position = { next: this.#next };
			const reading = { position, signal, headers: this.#headers, health };
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
		// The console of the service ends before the requested offset.
		if (start < this.#next) [this.#chunks, this.#start] = [[], start];
		const arrival = { offset: start, time: Date.now() };
		const last = this.#chunks.at(-1);
		if (last?.next === start && last.bytes.length + bytes.length <= chunkSize) {
			const { arrivals } = last;
			if (arrivals.at(-1)?.time !== arrival.time) arrivals.push(arrival);
			this.#chunks.splice(-1, 1, { bytes: joinBytes([last.bytes, bytes]), next, arrivals });
		} else this.#chunks.push({ bytes, next, arrivals: [arrival] });
		this.#next = next;
		this.#forget();
	}

	#forget() {
		let size = this.#chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
		while (size > maxBytes && this.#chunks.length > 1) {
			const oldest = this.#chunks.shift();
			size -= oldest?.bytes.length ?? size;
			this.#start = oldest?.next ?? this.#next;
		}
	}

	#chunkAt(from: number): ReceivedChunk | undefined {
		const chunk = this.#chunks.find(({ next }) => next > from);
		if (!chunk) return undefined;
		const { bytes, next } = chunk;
		return { ...chunk, bytes: bytes.slice(Math.max(0, from - next + bytes.length)) };
	}

	/** At the deadline, opens a new connection: the old one may be dead. */
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
