// Wakes readers early when something they wait for has changed, on every replica. Only a hint: it
// may be lost, so a waiting reader also reads again after a while. The tables are the truth.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Pool, PoolClient } from 'pg';
import type { Database } from './database.ts';

/** How long a reader waits at most: longer if there are many, so that they do not overload the database. */
function pollMilliseconds(watchers: number) {
	return Math.min(10_000, Math.max(1_000, watchers * 5));
}

export interface Wake {
	/** Wakes every watcher of one of these names. Send it once the change is committed. */
	announce(...names: string[]): void;
	/** Records every change from now on; start it before reading, so that none is missed. */
	watch(names: readonly string[]): Watch;
	/** The number of current watchers. */
	readonly watched: number;
	close(): Promise<void>;
}

/** What a reader does while there is nothing to read. */
export type Wait = () => Promise<unknown>;

interface Watch {
	/** Resolves with the names announced since the last call: on one, after a time, or on abort. */
	changed(options?: { milliseconds?: number; signal?: AbortSignal }): Promise<ReadonlySet<string>>;
	close(): void;
}

export function createWake({ pool }: Database): Wake {
	const emitter = new EventEmitter().setMaxListeners(0);
	const open = new Set<Watch>();
	const emit = (names: string[]) => {
		for (const name of names) emitter.emit(`to ${name}`);
	};
	const others = pool && connectReplicas(pool, emit);
	return {
		announce(...names) {
			emit(names);
			others?.announce(names);
		},
		watch(names) {
			const poll = () => pollMilliseconds(open.size);
			const watch = watchNames(emitter, names, { poll, closed: () => open.delete(watch) });
			open.add(watch);
			return watch;
		},
		get watched() {
			return open.size;
		},
		close: async () => others?.close(),
	};
}

function watchNames(
	emitter: EventEmitter,
	names: readonly string[],
	{ poll, closed }: { poll: () => number; closed: () => void },
): Watch {
	let announced = new Set<string>();
	let wake = () => {};
	const listeners = names.map((name) => {
		const listener = () => {
			announced.add(name);
			wake();
		};
		emitter.on(`to ${name}`, listener);
		return { name, listener };
	});
	return {
		async changed({ milliseconds = Number.POSITIVE_INFINITY, signal } = {}) {
			if (announced.size === 0 && !signal?.aborted) {
				await new Promise<void>((resolve) => {
					const done = () => {
						clearTimeout(timer);
						signal?.removeEventListener('abort', done);
						wake = () => {};
						resolve();
					};
					const timer = setTimeout(done, Math.max(0, Math.min(milliseconds, poll())));
					signal?.addEventListener('abort', done);
					wake = done;
				});
			}
			const since = announced;
			announced = new Set();
			return since;
		},
		close() {
			for (const { name, listener } of listeners) emitter.off(`to ${name}`, listener);
			closed();
		},
	};
}

const channel = 'board_access';
// PostgreSQL accepts 8,000 bytes in a notification; a name has about 40.
const mostNames = 100;
const reconnectMilliseconds = 1_000;

/** Sends names to the other replicas, in batches, and receives theirs. */
function connectReplicas(pool: Pool, emit: (names: string[]) => void) {
	const replica = randomUUID();
	const listener = keepListening(pool, (payload) => {
		const [from, ...names] = payload.split('\n');
		if (from !== replica) emit(names);
	});
	let waiting = new Set<string>();
	let sending: Promise<void> | undefined;
	const send = async () => {
		while (waiting.size > 0) {
			const names = [...waiting];
			waiting = new Set(names.slice(mostNames));
			const payload = [replica, ...names.slice(0, mostNames)].join('\n');
			// A hint that is lost costs its reader the time until it reads again.
			await pool.query('select pg_notify($1, $2)', [channel, payload]).catch(() => {});
		}
		sending = undefined;
	};
	return {
		announce(names: string[]) {
			for (const name of names) waiting.add(name);
			sending ??= Promise.resolve().then(send);
		},
		async close() {
			await sending;
			await listener.close();
		},
	};
}

/** Listens on its own connection, and opens another if that one breaks. */
function keepListening(pool: Pool, receive: (payload: string) => void) {
	let closed = false;
	let client: PoolClient | undefined;
	let retry: NodeJS.Timeout | undefined;
	const connect = async () => {
		client = await pool.connect();
		client.on('notification', ({ payload = '' }) => receive(payload));
		client.once('end', reconnect);
		await client.query(`listen ${channel}`);
	};
	const reconnect = () => {
		client?.off('end', reconnect);
		client?.release(true);
		client = undefined;
		// A connection that breaks as it begins to listen reports it twice.
		clearTimeout(retry);
		if (!closed) retry = setTimeout(start, reconnectMilliseconds).unref();
	};
	const start = () => {
		opening = connect().catch(reconnect);
	};
	let opening: Promise<void> = Promise.resolve();
	start();
	return {
		async close() {
			closed = true;
			clearTimeout(retry);
			await opening;
			client?.off('end', reconnect);
			client?.release(true);
		},
	};
}
